// The window, speaking: its frames are made here, without a display, and each text that they draw is looked at. In a
// language of brackets no word may stand outside of them; in a real one no text may be cut off at 1280 x 720, and what
// ends with an ellipsis is said whole to the mouse.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/translate.h"
#include "tests/app/window_words/drawn_texts.h"
#include "tests/support/headless_window.h"
#include "tests/support/observed_window/widget_places.h"

namespace streamscope::window {

inline constexpr std::string_view kBrackets = "brackets";

class SpokenWindow : public ::testing::TestWithParam<std::string_view>, protected testing::HeadlessWindow {
 protected:
  void SetUp() override;
  void TearDown() override;
  void drawn_frame(const State& state) override;

  float width() const { return in_brackets() ? testing::kHeadlessWidth : 1280; }
  float height() const { return in_brackets() ? testing::kHeadlessHeight : 720; }

  // All that was drawn since the last look, and what the bars of panels scroll into sight.
  void look(const std::string& what);
  void look_at_frame(const std::string& what);  // only what was drawn
  // In brackets the mouse rests on each widget in turn, which shows what it means; else on those that are cut short.
  void hover_over_all();
  std::optional<tests::WidgetPlace> place(const std::string& widget);
  void click(const std::string& widget);  // scrolled into sight, where it is not
  void click_beside();                    // in the status bar: closes what is open over the panels
  void choices_of(const std::string& widget);
  void open(const std::string& name, const std::string& text);

  std::string files_;  // what stands in programs, and what experiments say of themselves

 private:
  bool in_brackets() const { return GetParam() == kBrackets; }
  void look_at_elided(const std::string& what);

  std::string messages_;  // its catalogue
  std::uint64_t version_ = ~std::uint64_t{0};
  std::set<testing::MisplacedText> said_;
  std::set<std::string> hovered_;
};

// How a test is called by its language.
inline std::string language_of(const ::testing::TestParamInfo<std::string_view>& of) { return std::string(of.param); }

}  // namespace streamscope::window
