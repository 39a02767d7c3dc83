#include "app/window/panels/keys.h"

#include <algorithm>

namespace streamscope::window {
namespace {

bool meant(const Chord& chord, const KeyPress& press) {
  if (press.character != 0) {
    const char32_t small = press.character >= U'A' && press.character <= U'Z' ? press.character + 32 : press.character;
    return !press.control && chord.character == small;
  }
  return chord.key != 0 && chord.key == press.key && chord.control == press.control && chord.shift == press.shift;
}

}  // namespace

void act_on(const KeyPress& press, bool typing, const Panel& panel, TimelinePanel& timeline) {
  for (const Action& action : actions()) {
    if (typing && !action.while_typing) continue;
    if (std::any_of(action.chords.begin(), action.chords.end(), [&](const Chord& c) { return meant(c, press); })) {
      action.act(panel, timeline);
      return;
    }
  }
}

}  // namespace streamscope::window
