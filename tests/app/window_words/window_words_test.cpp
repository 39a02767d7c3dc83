// What the window says, in a language of brackets and in each of its languages; see spoken_window.h. Its engine is this
// program itself, started anew.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/cli.h"
#include "app/window/effects/files.h"
#include "app/window/main_window.h"
#include "app/window/panels/banners.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/platform/input_queue.h"
#include "app/window/state/run_verdicts.h"
#include "engine/base/files.h"
#include "engine/output/output.h"
#include "tests/app/window_words/spoken_window.h"
#include "tests/support/bracketed.h"
#include "tests/support/stages_run.h"

namespace streamscope::window {
namespace {

class WindowWords : public SpokenWindow {};

TEST_P(WindowWords, OfPanelsAndTheirTooltips) {
  for (const char32_t dock : {U'3', U'4', U'5', U'6', U'7', U'8'}) {
    letter(dock);
    hover_over_all();
    look(fmt::format("dock {}", static_cast<char>(dock)).c_str());
  }
  for (int x = 310; x < width() - 300; x += 90)
    for (int y = 60; y < height() - 20; y += 20) point(static_cast<float>(x), static_cast<float>(y));
  look("timeline");
}

TEST_P(WindowWords, OfChoices) {
  for (const char* what : {"device", "runs", "theme", "in-kernel"}) choices_of(fmt::format("Toolbar/{}", what));
  for (const char* what : {"host", "mode", "order", "stream_flags", "sync", "kernel"})
    choices_of(fmt::format("Experiment/controls/{}", what));
}

// Their controls are there where there are several, or the experiment names them.
TEST_P(WindowWords, OfSeveralDevices) {
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

TEST_P(WindowWords, OfWhatLiesOverThePanels) {
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

TEST_P(WindowWords, OfASweep) {
  letter(U'8');
  click(fmt::format("Sweep/axes/{}", tr("Go")));
  ASSERT_TRUE(until([](const State& state) { return points_done(state.sweeping) == 4; }));
  files_ += "streams 1 2 4 8\n";
  hover_over_all();
  look("sweep");
  // As large as for a projector: the answer is still there, and the plot within its place.
  press({.key = GLFW_KEY_EQUAL, .control = true});
  frames();
  testing::take_drawn_texts();
  frames();
  EXPECT_THAT(testing::take_drawn_texts(), ::testing::Contains(::testing::HasSubstr("streams=4")));
  const ImGuiWindow* plot = nullptr;
  for (const ImGuiWindow* each : ImGui::GetCurrentContext()->Windows)
    if (each->WasActive && std::string_view(each->Name).starts_with("Sweep/plot_")) plot = each;
  ASSERT_NE(plot, nullptr);
  EXPECT_EQ(plot->ScrollMax.y, 0);
}

TEST_P(WindowWords, OfASearch) {
  letter(U'4');
  letter(U'/');
  type("9:9");
  look("wrong search");
}

TEST_P(WindowWords, OfTwoRuns) {
  press({.key = GLFW_KEY_SPACE});
  ASSERT_TRUE(until([](const State& state) { return state.runs.shown->number == 2; }));
  letter(U'5');
  letter(U'b');
  ASSERT_TRUE(until([](const State& state) { return state.comparison.pair != nullptr; }));
  hover_over_all();
  look("two runs");
  choices_of("Compare/two runs/align");
  letter(U'v');
  look("overlaid");
}

TEST_P(WindowWords, OfASelectionAndAnInterval) {
  letter(U'.');
  letter(U'm');
  letter(U'r');
  ASSERT_TRUE(until([](const State& state) { return state.readings.range != nullptr; }));
  hover_over_all();
  look("selected");
  letter(U'6');
  letter(U'k');
  hover_over_all();
  letter(U'k');  // it stands
  look("slow motion");
}

TEST_P(WindowWords, OfAMeasurement) {
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

TEST_P(WindowWords, OfAVerdictAndOfAChangeThatWasTried) {
  open("5.streams",
       "buffer a 16MiB host=pinned\nstream A nonblocking\nstream B nonblocking\nA: h2d a\nB: axpb a fma=2000\n"
       "host: sync device\n");
  const auto judged = [](const State& state) {
    const auto verdict = verdict_in_view(state);
    return verdict && verdict->missing_order.has_value();
  };
  ASSERT_TRUE(until(judged));
  const auto others = [](int count) {
    return tr_n("{} other change that would help", "{} other changes that would help", count, count);
  };
  for (const std::string& what : {std::string(tr("What it changes")), others(1), others(2)}) {
    tests::take_widget_places();
    frame();
    for (const auto& [name, place] : tests::take_widget_places())
      if (name.ends_with(what)) point(place.x + place.width / 2, place.y + place.height / 2), click_here();
  }
  hover_over_all();
  look("verdict");
  letter(U'.');
  click(fmt::format("Summary/figures/verdict/0/{}", tr("Try it")));
  ASSERT_TRUE(until([](const State& state) { return trial_of(state, state.runs.shown->number) != nullptr; }));
  ASSERT_TRUE(until([](const State& state) { return verdict_in_view(state) != nullptr; }));
  hover_over_all();
  look("tried");
  for (const char* by : {"cause", "line"}) click(fmt::format("Summary/figures/path-by/{}", tr(by))), look(by);
  letter(U'y');
  letter(U'u');
  look("path and bounds");
}

TEST_P(WindowWords, OfErrors) {
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

TEST_P(WindowWords, OfALongKernel) {
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
    long_kernel_banner({state, look_of, commands}, {0, 0, width(), 100});
    ImGui::Render();
  }
  look_at_frame("long kernel");
}

// What a sanitizer looks at is the same in each.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
INSTANTIATE_TEST_SUITE_P(In, WindowWords, ::testing::Values(kBrackets, "zh"), language_of);
#else
INSTANTIATE_TEST_SUITE_P(In, WindowWords, ::testing::Values(kBrackets, "en", "zh", "ko"), language_of);
#endif

}  // namespace
}  // namespace streamscope::window

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "engine") {
    if (argc == 2) streamscope::translate_by(streamscope::testing::bracketed);  // no --language behind it
    return streamscope::cli::command_line(argc, argv, {});
  }
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
