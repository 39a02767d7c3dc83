// What the window says: its frames are made here, without a display, and each text that they draw is looked at. Its
// engine is this program itself, started anew.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/cli.h"
#include "app/window/effects/files.h"
#include "app/window/main_window.h"
#include "app/window/panels/banners.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/platform/keyboard.h"
#include "app/window/state/run_verdicts.h"
#include "engine/base/files.h"
#include "engine/output/output.h"
#include "tests/app/window_words/drawn_texts.h"
#include "tests/support/bracketed.h"
#include "tests/support/headless_window.h"
#include "tests/support/observed_window/widget_places.h"
#include "tests/support/stages_run.h"

namespace streamscope::window {
namespace {

constexpr int kWidth = testing::kHeadlessWidth, kHeight = testing::kHeadlessHeight;

const std::vector<testing::NoMessage> kExcused = testing::excused({
    {R"((Workstation GPU|Laptop GPU|GPU with one copy engine)[^:]*\(datasheet\))",
     "devices, as their profiles have them"},
    {R"(: error:)", "as compilers write it, for editors that look for it"},
    {R"(^(full|sampled|cupti|calls)$)", "instruments, as --instrument has them"},
    {R"(^(dark|light|projector|print)$)", "themes, as --theme has them"},
    {R"((^|\n)(\d+ )?(h2d|d2h|kernel|sync|engine|host|stream|compute)(?=\s*(\n|$)))",
     "what the search finds operations by"},
    {R"(^(hand-over|other-direction|host-functions|blocks|room|priority|pool|queue|unexplained)$)",
     "what was waited for, as files have it"},
    {R"(^([-+]|\d+:) .*$)", "lines of a program, and of a difference of two"},
    {R"((/tmp/\S*)?\b\d\.(json|toml|streams)\b)", "files"},
    {R"(^(PNG|SVG|PDF|CSV)$)", "formats"},
    {R"(^CUDA C\+\+$)", "a language"},
    {R"(^none$)", "the experiment file's word"},
    {R"(\b[a-z._]+=[\w.]+)", "a point of a sweep, as --axis has it"},
    {R"(  ·  Four streams  ·  )", "an experiment's name, over its timeline"},
    {R"((, nonblock(ing|…))?(  ·  depth-first)?)", "what the experiment file has, likewise"},
    {R"(\(?(model:[-\w]+|auto)\)?$)", "devices, as --device has them"},
    {R"(^main\b)", "the trace's name for a thread"},
    {R"(^Debug$)", "Dear ImGui's own window, which is never seen"},
});

class WindowWords : public testing::InBrackets, protected testing::HeadlessWindow {
 protected:
  void SetUp() override {
    for (const char* folder : {"experiments", "programs"})
      for (const auto& each : std::filesystem::directory_iterator(assets_folder() / folder))
        files_ += each.path().stem().string() + '\n' + read_text(each.path()).value() + '\n';
    const auto self = std::filesystem::read_symlink("/proc/self/exe");
    ASSERT_EQ(begin("exec '" + self.string() + "' engine"), "");
    ASSERT_TRUE(until([](const State& state) { return state.runs.shown && state.runs.shown->number == 1; }));
  }
  void TearDown() override { end(); }

  void drawn_frame(const State& state) override {
    if (state.editing.version == version_) return;
    version_ = state.editing.version;
    files_ += state.editing.program + '\n';
  }

  // The mouse rests on each widget in turn, which shows what it means.
  void hover_over_all() {
    tests::take_widget_places();
    frame();
    for (const auto& [name, place] : tests::take_widget_places())
      point(place.x + place.width / 2, place.y + place.height / 2);
  }
  void click(const std::string& widget) {
    tests::take_widget_places();
    frame();
    const auto places = tests::take_widget_places();
    const auto found = places.find(widget);
    ASSERT_NE(found, places.end()) << widget;
    point(found->second.x + found->second.width / 2, found->second.y + found->second.height / 2);
    click_here();
  }
  void click_beside() {  // in the status bar: closes what is open over the panels
    point(kWidth / 2.0f, kHeight - 3);
    click_here();
  }
  void choices_of(const std::string& widget) {
    click(widget);
    look(widget.c_str());
    click_beside();
  }
  void run_again() {
    const std::uint64_t before = window_->state().runs.shown->number;
    press({.key = GLFW_KEY_SPACE});
    ASSERT_TRUE(until([&](const State& state) { return state.runs.shown->number > before; }));
  }
  void open(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder() / name;
    ASSERT_TRUE(write_text(path, text).has_value());
    window_->open(path);
    frames();
  }

  // Nothing drawn since the last look lies outside.
  void look(const char* what) {
    for (const std::string& text : testing::take_drawn_texts()) {
      if (files_.find(text) != std::string::npos) continue;
      EXPECT_THAT(testing::words_outside(text, kExcused), ::testing::IsEmpty()) << what << ": " << text;
    }
  }

  std::string files_;  // what stands in programs, and what experiments say of themselves
  std::uint64_t version_ = ~std::uint64_t{0};
};

TEST_F(WindowWords, OfPanelsAndTheirTooltips) {
  for (const char32_t dock : {U'3', U'4', U'5', U'6', U'7', U'8'}) {
    letter(dock);
    hover_over_all();
    look(fmt::format("dock {}", static_cast<char>(dock)).c_str());
  }
  for (int x = 310; x < kWidth - 300; x += 90)
    for (int y = 60; y < 700; y += 20) point(static_cast<float>(x), static_cast<float>(y));
  look("timeline");
}

TEST_F(WindowWords, OfChoices) {
  for (const char* what : {"device", "runs", "theme", "in-kernel"}) choices_of(fmt::format("Toolbar/{}", what));
  for (const char* what : {"host", "mode", "order", "stream_flags", "sync", "kernel"})
    choices_of(fmt::format("Experiment/controls/{}", what));
}

// Their controls are there where there are several, or the experiment names them.
TEST_F(WindowWords, OfSeveralDevices) {
  const auto has = [&](const std::string& widget) {
    tests::take_widget_places();
    frame();
    return tests::take_widget_places().contains("Experiment/controls/" + widget);
  };
  const device::DeviceInfo* const at_hand = device_of(window_->state().settings);
  ASSERT_NE(at_hand, nullptr);
  EXPECT_EQ(has("devices"), at_hand->devices > 1);
  EXPECT_FALSE(has("across"));
  // Files are read in the background.
  const auto devices = [](std::uint32_t count) {
    return [count](const window::State& state) { return state.editing.experiment.devices == count; };
  };
  open("several.toml", "devices = 2\nacross = \"halo\"\nkernel.fma = 1\n");
  ASSERT_TRUE(until(devices(2)));
  for (const char* widget : {"devices", "across", "steps"}) EXPECT_TRUE(has(widget)) << widget;
  choices_of("Experiment/controls/across");
  hover_over_all();
  look("devices");
  open("one.toml", "kernel.fma = 2\n");
  ASSERT_TRUE(until(devices(1)));
  EXPECT_EQ(has("devices"), at_hand->devices > 1);
  click("Toolbar/device");
  frame();
  const auto places = tests::take_widget_places();
  const auto two =
      std::ranges::find_if(places, [](const auto& each) { return each.first.find("h200x2") != each.first.npos; });
  ASSERT_NE(two, places.end());
  point(two->second.x + two->second.width / 2, two->second.y + two->second.height / 2);
  click_here();
  EXPECT_EQ(window_->state().settings.device, "model:h200x2");
  EXPECT_TRUE(has("devices"));
  EXPECT_FALSE(has("across")) << "of one device";
}

TEST_F(WindowWords, OfWhatLiesOverThePanels) {
  letter(U'?');
  look("keys");
  letter(U'?');
  press({.key = GLFW_KEY_ESCAPE});
  press({.key = GLFW_KEY_P, .shift = true, .control = true});
  look("palette");
  type("9999");
  look("nothing found");
  click_beside();
  press({.key = GLFW_KEY_E, .control = true});
  hover_over_all();
  look("export");
  press({.key = GLFW_KEY_ESCAPE});
  ASSERT_TRUE(write_text(folder() / "a.streams", "stream A\n").has_value());
  files_ += folder().string() + "\na.streams\nfour-streams.toml\n" + (assets_folder() / "experiments").string() + '\n';
  for (const int key : {GLFW_KEY_O, GLFW_KEY_S}) {
    press({.key = key, .control = true});
    ASSERT_TRUE(until([](const State& state) { return !state.files.folder.path.empty(); }));
    hover_over_all();
    look("files");
    press({.key = GLFW_KEY_ESCAPE});
  }
}

TEST_F(WindowWords, OfASweep) {
  letter(U'8');
  click(fmt::format("Sweep/axes/{}Go{}", testing::kOpen, testing::kClose));
  ASSERT_TRUE(until([](const State& state) { return points_done(state.sweeping) == 4; }));
  files_ += "streams 1 2 4 8\n";
  hover_over_all();
  look("sweep");
}

TEST_F(WindowWords, OfASearch) {
  letter(U'4');
  letter(U'/');
  type("9:9");
  look("wrong search");
}

TEST_F(WindowWords, OfTwoRuns) {
  run_again();
  letter(U'5');
  letter(U'b');
  ASSERT_TRUE(until([](const State& state) { return state.comparison.pair != nullptr; }));
  hover_over_all();
  look("two runs");
  choices_of("Compare/two runs/align");
  letter(U'v');
  look("overlaid");
}

TEST_F(WindowWords, OfASelectionAndAnInterval) {
  letter(U'.');
  letter(U'm');
  letter(U'r');
  ASSERT_TRUE(until([](const State& state) { return state.readings.range != nullptr; }));
  hover_over_all();
  look("selected");
  letter(U'6');
  letter(U'k');
  hover_over_all();
  look("slow motion");
}

TEST_F(WindowWords, OfAMeasurement) {
  trace::Run run = testing::stages_run();
  run.program.clear();
  run.stage_effect = trace::ObserverEffect{1.01, 1.0, 1.02, 5};
  run.prediction.emplace();
  run.prediction->trace = run.trace;
  run.prediction->trace.provenance = testing::model_provenance();
  run.prediction->wall = run.wall->median * 9 / 10;
  open("1.json", output::to_json(run));
  ASSERT_TRUE(until([](const State& state) {
    return state.runs.shown->run->trace.provenance.kind == trace::Provenance::Kind::measured;
  }));
  hover_over_all();
  letter(U'p');
  letter(U'.');
  letter(U'.');
  letter(U'o');
  hover_over_all();
  look("measured");
}

TEST_F(WindowWords, OfAVerdictAndOfAChangeThatWasTried) {
  open("5.streams",
       "buffer a 16MiB host=pinned\nstream A nonblocking\nstream B nonblocking\nA: h2d a\nB: axpb a fma=2000\n"
       "host: sync device\n");
  const auto judged = [](const State& state) {
    const auto verdict = verdict_in_view(state);
    return verdict && verdict->missing_order.has_value();
  };
  ASSERT_TRUE(until(judged));
  for (const char* what : {"What it changes", "1 other change that would help", "2 other changes that would help"}) {
    tests::take_widget_places();
    frame();
    for (const auto& [name, place] : tests::take_widget_places())
      if (name.ends_with(fmt::format("{}{}{}", testing::kOpen, what, testing::kClose)))
        point(place.x + place.width / 2, place.y + place.height / 2), click_here();
  }
  hover_over_all();
  look("verdict");
  letter(U'.');
  click(fmt::format("Summary/figures/verdict/0/{}Try it{}", testing::kOpen, testing::kClose));
  ASSERT_TRUE(until([](const State& state) { return trial_of(state, state.runs.shown->number) != nullptr; }));
  ASSERT_TRUE(until([](const State& state) { return verdict_in_view(state) != nullptr; }));
  hover_over_all();
  look("tried");
  for (const char* by : {"cause", "line"})
    click(fmt::format("Summary/figures/path-by/{}{}{}", testing::kOpen, by, testing::kClose)), look(by);
  letter(U'y');
  letter(U'u');
  look("path and bounds");
}

TEST_F(WindowWords, OfErrors) {
  open("2.streams", "stream A\nA: nothing\n");
  ASSERT_TRUE(until([](const State& state) { return !state.editing.diagnostics.empty(); }));
  letter(U'3');
  hover_over_all();
  look("wrong program");
  open("3.json", "{");
  open("4.toml", "streams = 99");
  frames();
  look("wrong files");
  ::kill(window_->engine_process(), SIGKILL);
  ASSERT_TRUE(until([](const State& state) { return state.running.engine == EngineStatus::lost; }));
  hover_over_all();
  look("no engine");
}

TEST_F(WindowWords, OfALongKernel) {
  State state;
  state.editing.refused = LongKernel{};
  state.editing.refused->longest = 2'000'000'000;
  Look look_of;
  look_of.theme = timeline::theme(timeline::ThemeName::dark);
  look_of.fonts = build_fonts(1, {});
  renew_font_texture();
  Commands commands;
  for (int i = 0; i < 4; ++i) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    long_kernel_banner({state, look_of, commands}, {0, 0, kWidth, 100});
    ImGui::Render();
  }
  look("long kernel");
}

}  // namespace
}  // namespace streamscope::window

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "engine") {
    streamscope::translate_by(streamscope::testing::bracketed);
    return streamscope::cli::command_line(argc, argv, {});
  }
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
