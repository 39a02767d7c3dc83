// The few widgets the panels share, so that all line up: rows of a label and a control, headings, buttons with a sign.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/window/widgets/style.h"

namespace streamscope::window {

enum class Sign : std::uint8_t { none, play, live, stop, pause, begin, back, forward, screen };

// A button with a sign before its text. `lit`: it is on. Size follows from the text.
bool sign_button(const Look& look, const char* label, Sign sign, bool lit = false);
float sign_button_width(const char* label, Sign sign);

// A slider over whole numbers, with `shown` written over it, readable at every position. A drag moves it, or the
// keyboard, and no click.
// `mark`: the value of a small mark at its lower edge; below `from`: none.
bool slider(const Look& look, const char* id, int& value, int from, int to, const std::string& shown, int mark = -1);

// Behind a slider: a double click on it, or Ctrl and a click, open a field for its value, `shown` in it. What was
// entered there.
std::optional<std::string> typed_value(const char* id, const std::string& shown);

// A heading over a group of rows.
void heading(const Look& look, const char* text);

// Puts the label at the left and leaves the cursor where the control begins, its width set to the rest.
void row(const char* label, float label_width);

// While alive its widgets are disabled if `why` is not empty; explain() after each widget shows why.
class Disabled {
 public:
  explicit Disabled(std::string_view why);
  ~Disabled();
  Disabled(const Disabled&) = delete;
  Disabled& operator=(const Disabled&) = delete;
  void explain(
      std::string_view meaning = {}) const;  // tooltip of the last widget: why it is disabled, else what it means

 private:
  std::string why_;
};

// One choice of a few, side by side. Gives back the one that was pressed, if it is not the chosen one; else -1.
// `pointed`: the one under the mouse.
struct Segment {
  const char* label;
  const char* meaning;
  const Disabled* on;
};
int segments(const Look& look, const char* id, std::span<const Segment> all, int chosen, int* pointed = nullptr);
float segments_width(std::span<const Segment> all);

// A drop-down list: ImGui::BeginCombo() and EndCombo(). While it is open the arrows, Enter and Esc are its own.
bool begin_drop_down(const char* id, const std::string& shown, ImGuiComboFlags flags = 0);
// A menu that was opened with ImGui::OpenPopup(): BeginPopup() and EndPopup(). It has those keys as a list has them.
bool begin_menu(const char* id);
bool drop_down_open();  // a list or a menu was, when it was drawn last

// A combo box of some values, each called as `words` says; those without words are left out. Gives back the one that
// was pressed.
template <class Values, class Value, class Words>
std::optional<Value> combo(const char* id, const Values& all, const Value& present, Words words) {
  std::optional<Value> pressed;
  if (!begin_drop_down(id, std::string(words(present)))) return pressed;
  for (const Value& each : all) {
    const std::string called(words(each));
    if (!called.empty() && ImGui::Selectable(called.c_str(), each == present)) pressed = each;
    if (each == present) ImGui::SetItemDefaultFocus();
  }
  ImGui::EndCombo();
  return pressed;
}

// The mouse goes so far, in pixels, with the left button down; negative: it goes down. Dear ImGui 1.86 looks at it once
// a frame only, and a quick drag is over by then.
void note_drag(double distance);

// A field is to have the cursor, which takes some frames: until then keys would go elsewhere.
void focus_field();    // before the field
void field_drawn();    // behind it
void await_field();    // it will be focused in the next frame
bool field_awaited();  // keys are to wait

// As ImGui::BeginTooltip(); false: none is drawn, as a dialog opens in this very frame, behind which Dear ImGui could
// not put it.
bool begin_tooltip();
void tooltip(std::string_view text);        // wrapped, in the common style
void tooltip_below(std::string_view text);  // of the item that was drawn last: it covers none beside it

// Texts by string_view, so that nothing is taken for a format. Without a colour or a font they have those around them.
using Ink = std::optional<timeline::Colour>;
void text(std::string_view text, Ink ink = {}, const SizedFont* font = nullptr);
void wrapped(std::string_view text, Ink ink = {}, const SizedFont* font = nullptr);
void right_text(std::string_view text, Ink ink = {});  // at the right edge of what is left of the line

float width_of(std::string_view text);
// Where its first line ends, if it has room for so many pixels; behind its first letter at the least, but for a line
// end there.
std::size_t line_end(std::string_view text, float width);
// With a line end wherever one is needed. Not Dear ImGui's way, which parts "1." and "506 ms", and no Chinese.
std::string in_lines(std::string_view text, float width);
// As much of it as fits, with an ellipsis where that is not all; empty where not even a letter does.
std::string elided(std::string_view text, float width);

// Words on a plate of that colour.
void badge(std::string_view words, timeline::Colour fill, ImVec2 padding, float rounding);

}  // namespace streamscope::window
