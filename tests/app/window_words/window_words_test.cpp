// What the window says: its frames are made here, without a display, and each text that they draw is looked at. Its
// engine is this program itself, started anew.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

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
#include "tests/support/observed_window/widget_places.h"
#include "tests/support/screen_context.h"
#include "tests/support/stages_run.h"

namespace streamscope::window {
namespace {

constexpr int kWidth = 1920, kHeight = 1200;

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
    {R"(^(PNG|SVG|PDF)$)", "formats"},
    {R"(^none$)", "the experiment file's word"},
    {R"(  ·  Four streams  ·  )", "an experiment's name, over its timeline"},
    {R"((, nonblock(ing|…))?(  ·  depth-first)?)", "what the experiment file has, likewise"},
    {R"(\(?(model:[-\w]+|auto)\)?$)", "devices, as --device has them"},
    {R"(^main\b)", "the trace's name for a thread"},
    {R"(^Debug$)", "Dear ImGui's own window, which is never seen"},
});

std::mutex mutex;
std::condition_variable woken;
bool wake = false;
void wake_up() {
  const std::lock_guard lock(mutex);
  wake = true;
  woken.notify_all();
}

class WindowWords : public testing::InBrackets {
 protected:
  void SetUp() override {
    ASSERT_EQ(context_.why_not(), "");
    for (const char* folder : {"experiments", "programs"})
      for (const auto& each : std::filesystem::directory_iterator(assets_folder() / folder))
        files_ += each.path().stem().string() + '\n' + read_text(each.path()).value() + '\n';
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {kWidth, kHeight};
    ImGui::GetIO().DeltaTime = 0.1f;
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().KeyMap[ImGuiKey_Space] = GLFW_KEY_SPACE;  // as its backend for GLFW does: lists are walked with keys
#endif
    ImGui_ImplOpenGL3_Init("#version 330 core");
    const auto self = std::filesystem::read_symlink("/proc/self/exe");
    window_.emplace(default_file(), std::filesystem::path(), "exec '" + self.string() + "' engine", wake_up);
    ASSERT_TRUE(window_->create().has_value());
    ASSERT_TRUE(until([](const State& state) { return state.runs.shown && state.runs.shown->number == 1; }));
  }
  void TearDown() override {
    if (!window_) return;
    window_->destroy();
    window_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }

  void frame() {
    window_->advance();
    window_->prepare_fonts(1);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    window_->draw();
    ImGui::Render();
    window_->drawn();
    if (const Editing& editing = window_->state().editing; editing.version != version_) {
      version_ = editing.version;
      files_ += editing.program + '\n';
    }
  }
  void frames() {
    for (int i = 0; i < 4; ++i) frame();
  }
  template <class Condition>
  bool until(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(40);
    for (;;) {
      frames();
      if (condition(window_->state())) return true;
      std::unique_lock lock(mutex);
      if (!woken.wait_until(lock, std::min(end, std::chrono::steady_clock::now() + std::chrono::milliseconds(100)),
                            [] { return std::exchange(wake, false); }) &&
          std::chrono::steady_clock::now() >= end)
        return false;
    }
  }
  void press(KeyPress key) {
    window_->key(key);
    frames();
  }
  void letter(char32_t character) { press({.character = character}); }

  // The mouse rests on each widget in turn, which shows what it means.
  void hover_over_all() {
    tests::take_widget_places();
    frame();
    for (const auto& [name, place] : tests::take_widget_places())
      point(place.x + place.width / 2, place.y + place.height / 2);
  }
  void point(float x, float y) {
    ImGui::GetIO().MousePos = {x, y};
    frame();
    frame();
  }
  void click_here(int button = 0) {
    ImGui::GetIO().MouseDown[button] = true;
    frame();
    ImGui::GetIO().MouseDown[button] = false;
    frames();
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
  void type(const char* text) {
    for (const char* at = text; *at != '\0'; ++at) {
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(*at));
      frame();
    }
    frames();
  }
  void run_again() {
    const std::uint64_t before = window_->state().runs.shown->number;
    press({.key = GLFW_KEY_SPACE});
    ASSERT_TRUE(until([&](const State& state) { return state.runs.shown->number > before; }));
  }
  void open(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_ / name;
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

  std::filesystem::path folder_ = [] {
    char folder[] = "/tmp/streamscope-words-XXXXXX";
    return std::filesystem::path(::mkdtemp(folder));
  }();
  testing::OffscreenContext context_{kWidth, kHeight};
  std::optional<MainWindow> window_;
  std::string files_;  // what stands in programs, and what experiments say of themselves
  std::uint64_t version_ = ~std::uint64_t{0};
};

TEST_F(WindowWords, OfPanelsAndTheirTooltips) {
  for (const char32_t dock : {U'3', U'4', U'5', U'6', U'7'}) {
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
  for (const char* what : {"experiments", "host", "mode", "order", "stream_flags", "sync", "kernel"})
    choices_of(fmt::format("Experiment/controls/{}", what));
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
