// The time between two events is a bracket from flag to flag, and a call that returned an error is red.
#include "app/timeline/draw_elapsed.h"
#include "app/timeline/text_width.h"
#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

class Elapsed : public LayoutTest {
 protected:
  // Two flags in S0 and a call that read the time between them.
  Elapsed() {
    for (const Nanoseconds at : {Nanoseconds{1'000'000}, Nanoseconds{3'000'000}}) {
      trace::Span flag = run.trace.spans.front();
      flag.operation = static_cast<OperationIndex>(run.trace.spans.size());
      flag.kind = OperationKind::record;
      flag.engine = Engine::none;
      flag.bytes = 0;
      flag.ready = flag.start = at;
      flag.end = at + 1'000;
      run.trace.spans.push_back(flag);
    }
    trace::Span read = run.trace.spans.back();
    read.operation = static_cast<OperationIndex>(run.trace.spans.size());
    read.kind = OperationKind::elapsed;
    read.stream = trace::Span::kNoStream;
    read.host_begin = read.start = 5'000'000;
    read.host_end = read.end = 5'100'000;
    read.elapsed = 2'000'000;
    read.elapsed_from = read.operation - 2;
    read.elapsed_to = read.operation - 1;
    run.trace.spans.push_back(read);
  }
};

TEST_F(Elapsed, IsABracketFromFlagToFlag) {
  shown = tracks(run.trace);
  draw();
  ASSERT_NE(text("2.000 ms"), nullptr);
  const auto bracket = std::find_if(scene.rectangles.begin(), scene.rectangles.end(), [&](const Rectangle& one) {
    return one.colour == theme(ThemeName::dark).strong_text && one.x1 - one.x0 > 100;
  });
  ASSERT_NE(bracket, scene.rectangles.end());
  EXPECT_NEAR(bracket->x0, x_of(1'001'000), 1);
  EXPECT_NEAR(bracket->x1, x_of(3'001'000), 1);
}

TEST_F(Elapsed, ItsTimeCoversNoBarsText) {
  // A kernel fills what lies between the flags, and its own time stands in the middle of it.
  add_kernel(1'001'000, 3'000'000);
  shown = tracks(run.trace);
  draw();
  const Text* time = text("2.000 ms");
  ASSERT_NE(time, nullptr);
  const auto ends = [](const Text& one) {
    const float width = text_width(one.text, one.font, one.size);
    const float left = one.anchor == Anchor::centre ? one.x - width / 2 : one.x;
    return std::pair(left, left + width);
  };
  int beside = 0;
  for (const Text& other : scene.texts) {
    if (&other == time || std::abs(other.y - time->y) > (other.size + time->size) / 2) continue;
    if (other.x < static_cast<float>(where.plot_x)) continue;
    ++beside;
    EXPECT_TRUE(ends(other).second <= ends(*time).first || ends(other).first >= ends(*time).second) << other.text;
  }
  EXPECT_GT(beside, 0);
}

TEST_F(Elapsed, TimesOfBracketsOverTheSameColumnsStandBesideEachOther) {
  for (int i = 1; i < 5; ++i) {
    trace::Span again = run.trace.spans.back();
    again.operation = static_cast<OperationIndex>(run.trace.spans.size());
    again.elapsed = 2'000'000 + i * 100'000;
    run.trace.spans.push_back(again);
  }
  shown = tracks(run.trace);
  draw();
  std::vector<float> places;
  for (const char* time : {"2.000 ms", "2.100 ms", "2.200 ms", "2.300 ms", "2.400 ms"}) {
    ASSERT_NE(text(time), nullptr) << time;
    places.push_back(text(time)->x);
  }
  std::ranges::sort(places);
  const float width = text_width("2.000 ms", Font::regular, text("2.000 ms")->size);
  for (std::size_t i = 1; i < places.size(); ++i) EXPECT_GT(places[i] - places[i - 1], width * 0.9F);
}

TEST_F(Elapsed, OfACallThatReturnedAnErrorTheBarIsRedAndSaysWhich) {
  trace::Span& read = run.trace.spans.back();
  read.elapsed = kAbsent;
  read.result = CallResult::not_ready;
  shown = tracks(run.trace);
  draw();
  EXPECT_EQ(text("2.000 ms"), nullptr);
  EXPECT_EQ(answer_text(read), "cudaErrorNotReady");
  const Colour error = theme(ThemeName::dark).error;
  EXPECT_TRUE(std::any_of(scene.rectangles.begin(), scene.rectangles.end(),
                          [&](const Rectangle& one) { return one.colour == error; }));
}

TEST_F(Elapsed, APollHasAMarkForEachAnswerAndItsWorkBetweenThem) {
  trace::Span& poll = run.trace.spans.back();
  poll.kind = OperationKind::poll;
  poll.elapsed = kAbsent;
  poll.host_begin = poll.start = 5'000'000;
  poll.host_end = poll.end = 8'000'000;
  shown = tracks(run.trace);
  options.row_height = 40;
  draw();
  const Colour ink = theme(ThemeName::dark).strong_text, work = colour(OperationKind::work);
  const auto at = [&](Nanoseconds time, Colour of) {
    return std::count_if(scene.rectangles.begin(), scene.rectangles.end(),
                         [&](const Rectangle& one) { return one.colour == of && std::abs(one.x0 - x_of(time)) <= 1; });
  };
  EXPECT_EQ(at(6'000'000, ink), 0);
  run.trace.answers.polls = {{poll.operation, 6'000'000, 6'800'000}, {poll.operation, 7'000'000, kAbsent}};
  draw();
  EXPECT_EQ(at(6'000'000, ink), 1);
  EXPECT_EQ(at(7'000'000, ink), 1);
  EXPECT_EQ(at(6'000'000, work), 1);
  EXPECT_EQ(at(7'000'000, work), 0);
  // And its words stand above both.
  int words = 0;
  for (const Text& each : scene.texts) {
    if (each.text != "cudaStreamQuery" && each.text != "3 ms") continue;
    ++words;
    for (const Rectangle& one : scene.rectangles) {
      const bool mark = (one.colour == ink && one.x1 - one.x0 <= 2) || one.colour == work;
      if (mark && one.x0 >= x_of(6'000'000) - 1 && one.x1 <= x_of(7'000'000) + 2) {
        EXPECT_LE(each.y + each.size * 0.45F, static_cast<float>(one.y0)) << each.text;
      }
    }
  }
  EXPECT_GT(words, 0);
}

}  // namespace
}  // namespace streamscope::timeline
