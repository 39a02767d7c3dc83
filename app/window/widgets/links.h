// Words that can be clicked, and parts of a panel that can be folded.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/window/widgets/widgets.h"

namespace streamscope::window {

struct Phrase {
  std::string_view words;
  int link = -1;  // what is given back when it is clicked; below 0: it is no link
};

// Wrapped at the right edge. Gives back the link that was clicked, else -1; `pointed`: the one under the mouse.
int linked_text(const Look& look, std::span<const Phrase> phrases, Ink ink = {}, const SizedFont* font = nullptr,
                int* pointed = nullptr);
// All of it is one link.
bool link(const Look& look, std::string_view words, const SizedFont* font = nullptr);
// The text with `words` in it as link 0, where it holds them.
std::vector<Phrase> with_link(std::string_view text, std::string_view words);

// A heading that opens and closes what follows; whether it is open. Its state is kept by its label and the ids around.
bool fold(const Look& look, const char* label, bool open_at_first = false);

}  // namespace streamscope::window
