#include "tests/app/window_words/spoken_window.h"

#include <imgui.h>
// Dear ImGui before its inner parts.
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/catalogue.h"
#include "engine/base/catalogue_letters.h"
#include "engine/base/files.h"
#include "tests/support/bracketed.h"

namespace streamscope::window {
namespace {

const std::vector<testing::NoMessage> kExcused = testing::excused({
    {R"((Workstation GPU|Laptop GPU|GPU with one copy engine)[^:]*\(datasheet\))",
     "devices, as their profiles have them"},
    {R"(: error:)", "as compilers write it, for editors that look for it"},
    {R"(^(full|sampled|cupti|calls)$)", "instruments, as --instrument has them"},
    {R"(^(English|中文|한국어)$)", "languages, as their speakers write them"},
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

}  // namespace

void SpokenWindow::SetUp() {
  for (const char* folder : {"experiments", "programs"})
    for (const auto& each : std::filesystem::directory_iterator(assets_folder() / folder))
      files_ += each.path().stem().string() + '\n' + read_text(each.path()).value() + '\n';
  const char* const catalogue = GetParam() == "zh" ? "zh.po" : GetParam() == "ko" ? "ko.po" : "streamscope.pot";
  messages_ = read_text(assets_folder() / "messages" / catalogue).value();
  std::string engine = fmt::format("exec '{}' engine", std::filesystem::read_symlink("/proc/self/exe").string());
  if (in_brackets()) {
    translate_by(testing::bracketed);
  } else {
    cli::use_catalogue(std::string(GetParam()));
    engine += fmt::format(" --language {}", GetParam());
  }
  ASSERT_EQ(begin(engine, static_cast<int>(width()), static_cast<int>(height())), "");
  ASSERT_TRUE(until([](const State& state) { return state.runs.shown && state.runs.shown->number == 1; }));
}

void SpokenWindow::TearDown() {
  end();
  translate_by(nullptr);
  set_catalogue_letters({});
}

void SpokenWindow::drawn_frame(const State& state) {
  if (state.editing.version == version_) return;
  version_ = state.editing.version;
  files_ += state.editing.program + '\n';
}

void SpokenWindow::look(const std::string& what) {
  if (in_brackets()) return look_at_frame(what);
  frames();
  look_at_frame(what);
  look_at_elided(what);
  const ImVec2 mouse = std::exchange(ImGui::GetIO().MousePos, ImVec2{-FLT_MAX, -FLT_MAX});
  frames();  // a tooltip has no time to grow while what is under the mouse moves
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (!window->Active || window->Hidden || !window->ScrollbarY) continue;
    for (float at = 0; at < window->ScrollMax.y;) {
      at += window->InnerRect.GetHeight() / 2;
      ImGui::SetScrollY(window, at);
      frame();
      look_at_frame(what);
      look_at_elided(what);
    }
    ImGui::SetScrollY(window, 0);
  }
  ImGui::GetIO().MousePos = mouse;
  frames();
}

void SpokenWindow::look_at_frame(const std::string& what) {
  if (in_brackets()) {
    for (const std::string& text : testing::take_drawn_texts()) {
      if (files_.find(text) != std::string::npos) continue;
      EXPECT_THAT(testing::words_outside(text, kExcused), ::testing::IsEmpty()) << what << ": " << text;
    }
    return;
  }
  for (const testing::MisplacedText& each : testing::misplaced_texts())
    if (said_.insert(each).second)
      ADD_FAILURE() << what << ": " << each.text << "\n  in " << each.window << ": " << each.how;
}

void SpokenWindow::look_at_elided(const std::string& what) {
  if (ImGui::GetCurrentContext()->OpenPopupStack.Size != 0) return;  // the mouse is its own
  const auto letters = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
  };
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (const testing::ElidedText& each : testing::elided_texts()) {
    // What is written so is whole.
    if (each.text.ends_with("……") || messages_.find(fmt::format("{}\"", each.text)) != std::string::npos) continue;
    if (!hovered_.insert(each.window + each.text).second) continue;
    point(each.at.x, each.at.y);
    testing::take_drawn_texts();
    frames();
    look_at_frame(what);
    const std::string begin = letters(each.text.substr(0, each.text.size() - std::string_view("…").size()));
    std::set<std::string> drawn = testing::take_drawn_texts();
    drawn.erase(each.text);
    EXPECT_TRUE(std::ranges::any_of(drawn, [&](const auto& text) { return letters(text).find(begin) != begin.npos; }))
        << what << ": " << each.text << " in " << each.window << ": nothing says the rest";
  }
  ImGui::GetIO().MousePos = mouse;
  frames();
}

void SpokenWindow::hover_over_all() {
  if (!in_brackets()) return;
  tests::take_widget_places();
  frame();
  for (const auto& [name, place] : tests::take_widget_places())
    point(place.x + place.width / 2, place.y + place.height / 2);
}

std::optional<tests::WidgetPlace> SpokenWindow::place(const std::string& widget) {
  tests::take_widget_places();
  frame();
  const auto places = tests::take_widget_places();
  const auto found = places.find(widget);
  if (found == places.end()) return std::nullopt;
  return found->second;
}

void SpokenWindow::click(const std::string& widget) {
  auto at = place(widget);
  ASSERT_TRUE(at) << widget;
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const ImRect& seen = window->InnerRect;
    if (!window->Active || !window->ScrollbarY || at->x < seen.Min.x || at->x > seen.Max.x) continue;
    if (!widget.starts_with(std::string_view(window->Name).substr(0, std::string_view(window->Name).rfind('_'))))
      continue;
    const float y = at->y + at->height / 2;
    if (y > seen.Min.y + at->height && y < seen.Max.y - at->height) continue;
    ImGui::SetScrollY(window, std::clamp(window->Scroll.y + y - seen.GetCenter().y, 0.0f, window->ScrollMax.y));
    frames();
    at = place(widget);
    ASSERT_TRUE(at) << widget;
  }
  point(at->x + at->width / 2, at->y + at->height / 2);
  click_here();
}

void SpokenWindow::click_beside() {
  point(width() / 2, height() - 3);
  click_here();
}

void SpokenWindow::choices_of(const std::string& widget) {
  click(widget);
  look(widget);
  click_beside();
}

void SpokenWindow::open(const std::string& name, const std::string& text) {
  const std::filesystem::path path = folder() / name;
  ASSERT_TRUE(write_text(path, text).has_value());
  window_->open(path);
  frames();
}

}  // namespace streamscope::window
