// The languages that the window can speak.
#pragma once

#include <array>

#include "app/window/panels/panel.h"

namespace streamscope::window {

inline constexpr std::array kSpoken = {lesson::Language::en, lesson::Language::zh, lesson::Language::ko};

const char* own_name(lesson::Language language);  // as its speakers write it: "한국어"
// That was chosen in the window, else the one that it speaks.
lesson::Language language_of(const State& state);
// Chooses it and says, in it, from when on it is spoken.
Commands speak(lesson::Language language);

}  // namespace streamscope::window
