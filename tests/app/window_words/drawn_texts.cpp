#include "tests/app/window_words/drawn_texts.h"

#include <imgui.h>

#include <utility>

namespace streamscope::testing {
namespace {

std::set<std::string> drawn;

void see(const char* begin, const char* end) {
  if (begin == nullptr) return;
  drawn.insert(end == nullptr ? std::string(begin) : std::string(begin, end));
}

}  // namespace

std::set<std::string> take_drawn_texts() { return std::exchange(drawn, {}); }

}  // namespace streamscope::testing

// As the compilers of Linux name them: both of ImDrawList::AddText.
extern "C" {
void __real__ZN10ImDrawList7AddTextERK6ImVec2jPKcS4_(ImDrawList* list, const ImVec2& at, ImU32 colour,
                                                     const char* begin, const char* end);
void __real__ZN10ImDrawList7AddTextEPK6ImFontfRK6ImVec2jPKcS7_fPK6ImVec4(ImDrawList* list, const ImFont* font,
                                                                         float size, const ImVec2& at, ImU32 colour,
                                                                         const char* begin, const char* end, float wrap,
                                                                         const ImVec4* clip);

void __wrap__ZN10ImDrawList7AddTextERK6ImVec2jPKcS4_(ImDrawList* list, const ImVec2& at, ImU32 colour,
                                                     const char* begin, const char* end) {
  streamscope::testing::see(begin, end);
  __real__ZN10ImDrawList7AddTextERK6ImVec2jPKcS4_(list, at, colour, begin, end);
}

void __wrap__ZN10ImDrawList7AddTextEPK6ImFontfRK6ImVec2jPKcS7_fPK6ImVec4(ImDrawList* list, const ImFont* font,
                                                                         float size, const ImVec2& at, ImU32 colour,
                                                                         const char* begin, const char* end, float wrap,
                                                                         const ImVec4* clip) {
  streamscope::testing::see(begin, end);
  __real__ZN10ImDrawList7AddTextEPK6ImFontfRK6ImVec2jPKcS7_fPK6ImVec4(list, font, size, at, colour, begin, end, wrap,
                                                                      clip);
}
}
