// What a hand does in the real panels, without a display: where it must not be led astray.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
// Dear ImGui before its own extension.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "app/window/main_window.h"
#include "app/window/state/compared_runs.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/files.h"
#include "tests/app/window_words/drawn_texts.h"
#include "tests/support/headless_window.h"
#include "tests/support/observed_window/widget_places.h"

namespace streamscope::window {
namespace {

class ByHand : public ::testing::Test, protected testing::HeadlessWindow {
 protected:
  void SetUp() override {
    const auto self = std::filesystem::read_symlink("/proc/self/exe");
    ASSERT_EQ(begin("exec '" + self.string() + "' engine"), "");
    ASSERT_TRUE(until([](const State& state) { return state.runs.shown && state.runs.shown->number == 1; }));
#if IMGUI_VERSION_NUM < 18700
    for (const auto& [key, code] :
         {std::pair(ImGuiKey_Enter, GLFW_KEY_ENTER), std::pair(ImGuiKey_Escape, GLFW_KEY_ESCAPE),
          std::pair(ImGuiKey_Backspace, GLFW_KEY_BACKSPACE)})
      ImGui::GetIO().KeyMap[key] = code;
#endif
  }
  void TearDown() override { end(); }

  // Of the field that has the cursor.
  void key(ImGuiKey_ key, int code) {
#if IMGUI_VERSION_NUM < 18700
    (void)key;
    ImGui::GetIO().KeysDown[code] = true;
    frame();
    ImGui::GetIO().KeysDown[code] = false;
#else
    (void)code;
    ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(key), true);
    frame();
    ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(key), false);
#endif
    frames();
  }
  // The first widget whose name has this in it.
  bool point_at(std::string_view name, float share = 0.5f) {
    tests::take_widget_places();
    frame();
    for (const auto& [widget, place] : tests::take_widget_places()) {
      if (widget.find(name) == widget.npos) continue;
      point(place.x + place.width * share, place.y + place.height / 2);
      return true;
    }
    return false;
  }
  std::optional<tests::WidgetPlace> place_of(const std::string& name) {
    tests::take_widget_places();
    frame();
    const auto places = tests::take_widget_places();
    const auto found = places.find(name);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  }
  // As fast as a double click is.
  void click_twice() {
    for (int i = 0; i < 2; ++i) {
      ImGui::GetIO().MouseDown[0] = true;
      frame();
      ImGui::GetIO().MouseDown[0] = false;
      frame();
    }
    frames();
  }
  static ImGuiWindow* child(std::string_view name) {
    for (ImGuiWindow* each : ImGui::GetCurrentContext()->Windows)
      if (std::string_view(each->Name).find(name) != std::string_view::npos) return each;
    return nullptr;
  }
  // Of all that is drawn in one frame the text that has these words; empty: none.
  std::string drawn(std::string_view words) {
    testing::take_drawn_texts();
    frame();
    for (const std::string& each : testing::take_drawn_texts())
      if (each.find(words) != each.npos) return each;
    return {};
  }
  bool draws(const std::string& text) {
    testing::take_drawn_texts();
    frame();
    return testing::take_drawn_texts().contains(text);
  }
  const State& state() const { return window_->state(); }
};

TEST_F(ByHand, ADoubleClickOnASliderOpensItsFieldAndMovesNothing) {
  const std::uint32_t before = state().editing.experiment.streams;
  ASSERT_TRUE(point_at("Experiment/controls/streams", 0.9f));
  click_twice();
  EXPECT_EQ(state().editing.experiment.streams, before);
  type("2x");
  key(ImGuiKey_Enter, GLFW_KEY_ENTER);
  EXPECT_EQ(state().editing.experiment.streams, 2 * before) << "the present value times two";
}

TEST_F(ByHand, EscInAnEmptiedSearchBringsNothingBack) {
  letter(U'/');
  frames();
  type("21");
  ASSERT_EQ(state().readings.search, "21");
  key(ImGuiKey_Enter, GLFW_KEY_ENTER);
  for (int i = 0; i < 2; ++i) key(ImGuiKey_Backspace, GLFW_KEY_BACKSPACE);
  ASSERT_EQ(state().readings.search, "");
  key(ImGuiKey_Escape, GLFW_KEY_ESCAPE);
  EXPECT_EQ(state().readings.search, "");
}

TEST_F(ByHand, AHitOfTheSearchComesIntoView) {
  window_->key({.character = U'w'});
  for (int i = 0; i < 12; ++i) letter(U'w');
  const auto close = state().timeline.view;
  ASSERT_TRUE(close);
  letter(U'/');
  frames();
  type("D2H #47");
  ASSERT_TRUE(until([](const State& now) { return now.readings.table && now.readings.table->rows->size() == 1; }));
  key(ImGuiKey_Enter, GLFW_KEY_ENTER);
  ASSERT_EQ(state().timeline.selected, 47u);
  ASSERT_TRUE(state().timeline.view);
  EXPECT_EQ(state().timeline.view->scale, close->scale);
  EXPECT_NE(state().timeline.view->origin, close->origin);
}

// The toolbar is laid out anew with each press.
TEST_F(ByHand, TheTextGrowsFurtherWithoutMovingThePointer) {
  const float before = state().workspace.text_scale;
  ASSERT_TRUE(point_at("Toolbar/A+"));
  for (int i = 1; i <= 4; ++i) {
    click_here();
    EXPECT_FLOAT_EQ(state().workspace.text_scale, before + 0.25f * static_cast<float>(i));
  }
  EXPECT_TRUE(point_at("Toolbar/A-") || point_at("Toolbar/More"));  // elsewhere it is the toolbar's again
  frames();
  EXPECT_FALSE(point_at("Text size/"));
}

TEST_F(ByHand, SlowMotionHasOneColumnWhereThreeWouldBeTooNarrow) {
  ImGui::GetIO().DisplaySize = {800, 1200};
  letter(U'6');
  frames();
  ASSERT_FALSE(drawn("HOST").empty());
  ASSERT_FALSE(drawn("calls, ").empty()) << "whole";
  for (const testing::ElidedText& each : testing::elided_texts())
    EXPECT_FALSE(each.text.starts_with("calls")) << each.text << " in " << each.window;
}

TEST_F(ByHand, SlowMotionTellsKindsApartWithoutColourAsTheTimelineDoes) {
  letter(U'6');
  frames();
  const auto of_that_ink = [&](OperationKind kind) {
    const timeline::BarStyle style = timeline::bar_style(timeline::colour(kind), timeline::pattern_of(kind),
                                                         timeline::theme(state().workspace.theme));
    frames();
    std::ptrdiff_t corners = 0;
    for (const ImGuiWindow* each : ImGui::GetCurrentContext()->Windows) {
      if (!each->Active || std::string_view(each->Name).find("slow_motion") == std::string_view::npos) continue;
      corners += std::ranges::count(each->DrawList->VtxBuffer, packed(style.ink), &ImDrawVert::col);
    }
    return corners;
  };
  for (int i = 0; i < 10; ++i) press({.key = GLFW_KEY_RIGHT, .shift = true});  // one copy is under way, partly done
  const auto plain = of_that_ink(OperationKind::h2d);
  ASSERT_TRUE(point_at("Toolbar/theme"));
  click_here();
  ASSERT_TRUE(point_at("/print"));
  click_here();
  ASSERT_EQ(state().workspace.theme, timeline::ThemeName::print);
  EXPECT_GT(of_that_ink(OperationKind::h2d), plain + 500) << "stripes over its ground";
}

TEST_F(ByHand, ANewRunIsReadFromTheTop) {
  ImGui::GetIO().DisplaySize = {1920, 600};
  frames();
  ImGuiWindow* const figures = child("Summary/figures");
  ASSERT_NE(figures, nullptr);
  ASSERT_GT(figures->ScrollMax.y, 0) << "there is something to scroll";
  figures->Scroll.y = figures->ScrollMax.y;
  frames();
  ASSERT_GT(figures->Scroll.y, 0);
  press({.key = GLFW_KEY_SPACE});
  ASSERT_TRUE(until([](const State& now) { return now.runs.shown->number > 1; }));
  frames();
  EXPECT_EQ(figures->Scroll.y, 0);
}

TEST_F(ByHand, RowsBelowThePictureAreSaidAndAClickGoesThere) {
  ASSERT_EQ(drawn("more below"), "");
  for (int i = 0; i < 3; ++i) press({.key = GLFW_KEY_EQUAL, .control = true});
  ImGui::GetIO().DisplaySize = {1920, 850};
  frames();
  ASSERT_NE(drawn("more below"), "");
  const auto plot = place_of("Timeline/plot"), line = place_of("Timeline/below");
  ASSERT_TRUE(plot && line);
  EXPECT_GE(line->y, plot->y + plot->height) << "it covers no row";
  std::string before = drawn("more below");
  for (int i = 0; i < 20 && !before.empty(); ++i) {
    ASSERT_TRUE(point_at("Timeline/below"));
    click_here();
    const std::string now = drawn("more below");
    ASSERT_NE(now, before) << "a click scrolls";
    before = now;
  }
  EXPECT_EQ(before, "") << "the last row is in sight";
  EXPECT_EQ(state().timeline.selected, kNoOperation) << "and selects nothing";
}

TEST_F(ByHand, TheTableOfOperationsHasThreeRowsInLargeText) {
  ImGui::GetIO().DisplaySize = {1920, 1080};
  for (int i = 0; i < 4; ++i) press({.key = GLFW_KEY_EQUAL, .control = true});
  ASSERT_EQ(state().workspace.text_scale, 2);
  letter(U'4');
  ASSERT_TRUE(until([](const State& now) { return now.readings.table != nullptr; }));
  const auto row = place_of("Operations/operations/2/row"), plot = place_of("Timeline/plot");
  ASSERT_TRUE(row && plot);
  const ImGuiWindow& panel = *child("Operations");
  EXPECT_LE(row->y + row->height, panel.Pos.y + panel.Size.y);
  EXPECT_GE(plot->width, 0.48f * 1920) << "the panels at the sides take no more than half";
}

TEST_F(ByHand, NoColumnOfTheTableOfOperationsIsCut) {
  letter(U'4');  // once: its key closes an open tab
  for (const float width : {1280.0f, 1500.0f, 1920.0f}) {
    ImGui::GetIO().DisplaySize = {width, 1080};
    ASSERT_TRUE(until([](const State& now) { return now.readings.table != nullptr; }));
    frames();
    const ImGuiTable* const table = ImGui::TableFindByID(child("Operations")->GetID("operations"));
    ASSERT_NE(table, nullptr);
    for (int i = 0; i < table->ColumnsCount; ++i)
      EXPECT_TRUE(table->Columns[i].MaxX <= table->OuterRect.Max.x ||
                  table->Columns[i].MinX >= table->OuterRect.Max.x - 2)  // the line between them
          << width << " " << i;
  }
}

TEST_F(ByHand, TheListOfRunsSaysAMakespanOnceAndTheTableOfDifferencesItsHeadings) {
  ImGui::GetIO().DisplaySize = {1280, 720};
  press({.key = GLFW_KEY_SPACE});
  ASSERT_TRUE(until([](const State& now) { return now.runs.shown->number > 1; }));
  letter(U'5');
  EXPECT_TRUE(draws("4 streams · 16 MiB"));
  ASSERT_TRUE(point_at("Compare/runs/1/compare"));
  click_here();
  ASSERT_TRUE(until([](const State& now) { return now.comparison.second && pair_in_view(now) != nullptr; }));
  frames();
  EXPECT_NE(drawn("RUN 1 · "), "") << "the compared run is in sight too";
  child("two runs")->Scroll.y = child("two runs")->ScrollMax.y;
  frames();
  EXPECT_TRUE(draws("Line"));
}

TEST_F(ByHand, ALessonOpensOnTheDeviceThatWasAskedFor) {
  window_->open_lesson(STREAMSCOPE_SOURCE "/tests/support/small_lesson", lesson::Language::en, "model:one-copy-engine");
  ASSERT_TRUE(until(
      [](const State& now) { return now.lesson.open && now.lesson.runs.size() == now.lesson.open->runs.size(); }));
  EXPECT_EQ(state().settings.device, "model:one-copy-engine") << "which the toolbar shows";
  for (const auto& [name, run] : state().lesson.runs)
    EXPECT_EQ(run.facts->run.trace.provenance.profile, "one-copy-engine") << name;
}

TEST_F(ByHand, AStepOfALessonShowsTheLinesThatItIsAbout) {
  ImGui::GetIO().DisplaySize = {1280, 640};
  window_->open_lesson(STREAMSCOPE_SOURCE "/assets/lessons/07-what-else-stops-the-host", lesson::Language::en);
  ASSERT_TRUE(until(
      [](const State& now) { return now.lesson.open && now.lesson.runs.size() == now.lesson.open->runs.size(); }));
  const auto next = [&] {
    if (point_at("Skip the question")) click_here();
    const std::size_t before = state().lesson.step;
    if (point_at("Lesson/Next")) click_here();
    frames();
    return state().lesson.step == before + 1;
  };
  ASSERT_TRUE(next() && next());
  ImGuiWindow* const editor = child("/editor");
  ASSERT_TRUE(editor != nullptr && editor->ScrollMax.y > 0);
  editor->Scroll.y = editor->ScrollMax.y;
  frames();
  ASSERT_GT(editor->Scroll.y, 0);
  ASSERT_TRUE(next()) << "to another program";
  EXPECT_EQ(editor->Scroll.y, 0) << "from its top";
  ASSERT_TRUE(next() && next());
  ASSERT_EQ(step_at(state().lesson)->kind, lesson::StepKind::code);
  EXPECT_NE(drawn("CHECK(cudaMallocAsync(&t"), "") << "the call, and not where its pointer is declared";
  const ImGuiWindow* const code = child("/code_");
  ASSERT_TRUE(code != nullptr && code->ScrollMax.y > 0);
  EXPECT_EQ(code->ScrollMax.x, 0) << "no line goes on out of sight";
}

TEST_F(ByHand, WhatIsChosenComesIntoSightInTheCudaFromWhereverThatIsScrolled) {
  ImGui::GetIO().DisplaySize = {1280, 720};
  letter(U'0');
  ASSERT_TRUE(until([](const State& now) { return now.cuda.written != nullptr; }));
  ImGuiWindow* const code = child("CUDA C++/text");
  frames();
  ASSERT_TRUE(code != nullptr && code->ScrollMax.x > 0);
  code->Scroll.x = code->ScrollMax.x;
  frames();
  ASSERT_GT(code->Scroll.x, 0);
  letter(U'.');
  frames();
  ASSERT_EQ(state().timeline.selected, 0u);
  EXPECT_EQ(code->Scroll.x, 0);
  EXPECT_GT(code->Scroll.y, 0);
}

TEST_F(ByHand, AnotherProgramsCudaIsLookedAtFromItsBeginning) {
  ImGui::GetIO().DisplaySize = {1280, 720};
  window_->open(assets_folder() / "experiments" / "halo-exchange.toml");
  letter(U'0');
  const auto written = [](const State& now) {
    return now.cuda.written != nullptr && now.cuda.written->version == now.editing.version;
  };
  ASSERT_TRUE(until([&](const State& now) { return now.runs.shown->number == 2 && written(now); }));
  ImGuiWindow* const code = child("CUDA C++/text");
  ASSERT_TRUE(code != nullptr && code->ScrollMax.y > 0);
  const auto scroll_down = [&] {
    code->Scroll.y = code->ScrollMax.y;
    frames();
    ASSERT_GT(code->Scroll.y, 0);
  };
  scroll_down();
  const auto before = state().cuda.written;
  window_->open(assets_folder() / "experiments" / "four-streams.toml");
  ASSERT_TRUE(until([&](const State& now) { return now.cuda.written != before && written(now); }));
  frames();
  EXPECT_EQ(code->Scroll.y, 0);
  // The same one changed stays where it is looked at.
  scroll_down();
  const float at = code->Scroll.y;
  const auto four = state().cuda.written;
  ASSERT_TRUE(point_at("Experiment/controls/streams"));
  ImGui::GetIO().MouseDown[0] = true;
  frame();
  ImGui::GetIO().MousePos.x += 40;
  frames();
  ImGui::GetIO().MouseDown[0] = false;
  ASSERT_TRUE(until([&](const State& now) { return now.cuda.written != four; }));
  frames();
  EXPECT_EQ(code->Scroll.y, at);
}

TEST_F(ByHand, InLargeTextTheFirstStreamsAreInSightAndTheLowerPanelFollowsItsEdge) {
  ImGui::GetIO().DisplaySize = {1920, 1080};
  for (float size = 1.25f; size <= 2; size += 0.25f) press({.key = GLFW_KEY_EQUAL, .control = true});
  ASSERT_EQ(state().workspace.text_scale, 2);
  EXPECT_TRUE(draws("4 rows more below"))
      << drawn("more below") << ": of a host thread, four streams, four rows of engines";
  const auto edge = place_of("program splitter/splitter").value();
  const auto drag = [&](float from, float to) {
    point(edge.x + edge.width / 2, from + edge.height / 2);
    ImGui::GetIO().MouseDown[0] = true;
    frame();
    ImGui::GetIO().MousePos.y = to + edge.height / 2;
    frames();
    ImGui::GetIO().MouseDown[0] = false;
    frames();
    return place_of("program splitter/splitter").value().y;
  };
  EXPECT_NEAR(drag(edge.y, edge.y - 60), edge.y - 60, 1) << "from where it stands";
  EXPECT_FALSE(draws("4 rows more below"));
  EXPECT_NEAR(drag(edge.y - 60, edge.y - 20), edge.y - 20, 1);
  EXPECT_NEAR(drag(edge.y - 20, edge.y + 200), edge.y, 1) << "three rows of a table are left of it";
}

TEST_F(ByHand, AStreamIsInSightHoweverManyLinesTheToolbarHas) {
  ImGui::GetIO().DisplaySize = {1920, 1080};
  for (float size = 1.25f; size <= 3; size += 0.25f) {
    press({.key = GLFW_KEY_EQUAL, .control = true});
    ASSERT_EQ(state().workspace.text_scale, size);
    const std::string more = drawn("more below");
    EXPECT_LE(more.empty() ? 0 : std::stoi(more), 7) << size << ": of nine rows a host thread and a stream are seen";
  }
}

TEST_F(ByHand, WhatAColumnOfTheTableOfOperationsHasNoRoomForIsCutAndSaidAtTheMouse) {
  ImGui::GetIO().DisplaySize = {1280, 720};
  letter(U'4');
  ASSERT_TRUE(until([](const State& now) { return now.readings.table != nullptr; }));
  frames();
  ImGuiTable* const table = ImGui::TableFindByID(child("Operations")->GetID("operations"));
  ASSERT_NE(table, nullptr);
  const auto cut = [] {
    std::vector<testing::ElidedText> all = testing::elided_texts();
    std::erase_if(all, [](const auto& each) { return each.window.find("operations") == each.window.npos; });
    return all;
  };
  ASSERT_TRUE(cut().empty());
  table->Columns[static_cast<int>(reading::Column::kind)].WidthRequest = std::ceil(width_of("kernel"));
  frames();
  const std::vector<testing::ElidedText> now = cut();
  const auto found = std::find_if(now.begin(), now.end(), [](const auto& each) { return each.text.starts_with("k"); });
  ASSERT_NE(found, now.end());
  point(found->at.x, found->at.y);
  const ImGuiWindow* const words = child("##Tooltip");
  EXPECT_TRUE(words != nullptr && words->Active);
}

TEST_F(ByHand, TheTotalsScrollTogether) {
  ImGui::GetIO().DisplaySize = {1280, 720};
  for (int i = 0; i < 4; ++i) press({.key = GLFW_KEY_EQUAL, .control = true});
  letter(U'9');
  frames();
  std::vector<std::string> scrolled;
  for (const ImGuiWindow* each : ImGui::GetCurrentContext()->Windows)
    if (each->Active && each->ScrollMax.y > 0 && std::string_view(each->Name).starts_with("Totals"))
      scrolled.emplace_back(each->Name);
  EXPECT_EQ(scrolled.size(), 1u);
}

TEST_F(ByHand, TheLegendUsesTheRoomThatThereIs) {
  ImGui::GetIO().DisplaySize = {1280, 720};
  frames();
  EXPECT_NE(drawn("ready, waiting"), "");
}

TEST_F(ByHand, WhatATabIsStandsBelowTheTabs) {
  ASSERT_TRUE(point_at("Dock tabs/Compare"));
  frames();
  const auto tab = place_of("Dock tabs/Compare");
  const ImGuiWindow* const words = child("##Tooltip");
  ASSERT_TRUE(tab && words != nullptr && words->Active);
  EXPECT_GE(words->Pos.y, tab->y + tab->height);
}

TEST_F(ByHand, InLiveModeNoFiguresOfTheRunBeforeStandBesideThoseOfNow) {
  ASSERT_TRUE(until([](const State& now) { return verdict_in_view(now) != nullptr; }));
  frames();
  ASSERT_NE(drawn("hardware lets it be"), "");
  letter(U'l');
  ASSERT_TRUE(until([](const State& now) { return now.running.live && now.runs.shown->number > 2; }));
  EXPECT_EQ(drawn("hardware lets it be"), "");
}

TEST_F(ByHand, PresentingIsAButtonBesideTheTextsSize) {
  ASSERT_TRUE(point_at("Toolbar/present"));
  click_here();
  EXPECT_TRUE(state().workspace.presenting);
}

}  // namespace
}  // namespace streamscope::window
