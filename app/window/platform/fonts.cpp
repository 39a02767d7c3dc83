#include "app/window/platform/fonts.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <initializer_list>

#include "engine/input/mapped_file.h"

namespace streamscope::window {
namespace {

constexpr const char* kFolder = "/usr/share/fonts/truetype/";
constexpr const char* kRoboto = "roboto/unhinted/RobotoTTF/Roboto-Regular.ttf";
constexpr const char* kRobotoMedium = "roboto/unhinted/RobotoTTF/Roboto-Medium.ttf";
constexpr const char* kMono = "jetbrains-mono/JetBrainsMono-Regular.ttf";
constexpr const char* kSans = "dejavu/DejaVuSans.ttf";
constexpr const char* kSansBold = "dejavu/DejaVuSans-Bold.ttf";
constexpr const char* kSansMono = "dejavu/DejaVuSansMono.ttf";

// Latin, Greek mu, dashes, quotes, dots, arrows, comparisons. Few, so that the first frame comes soon.
constexpr std::array<ImWchar, 13> kText = {0x0020, 0x00FF, 0x03BC, 0x03BC, 0x2010, 0x2026, 0x2190,
                                           0x2193, 0x2248, 0x2248, 0x2264, 0x2265, 0};
// What Roboto lacks and DejaVu has.
constexpr std::array<ImWchar, 7> kArrows = {0x2190, 0x2193, 0x2248, 0x2248, 0x2264, 0x2265, 0};
constexpr std::array<ImWchar, 5> kFigureLetters = {0x0020, 0x007E, 0x00B5, 0x00D7, 0};  // large: figures and units only

constexpr const char* kWide = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";
constexpr int kSimplifiedChinese = 2;  // of the faces in that file; all of them have all letters
// A size is that of a line: 1.448 ems of this file's letters, 1.172 of Roboto's, beside which they are to be as large.
constexpr float kWideSize = 1.235f;

// The file, mapped once: of its 19 MB only what the letters in use need is read. Empty: it is not there.
std::string_view wide_file() {
  static const auto mapped = input::MappedFile::open(kWide);
  return mapped ? mapped->text() : std::string_view();
}

// Each letter a range of its own. Dear ImGui reads them when the atlas is built, which is later.
std::vector<ImWchar> ranges;

void merge_wide(float size) {
  if (ranges.size() <= 1 || wide_file().empty()) return;
  ImFontConfig config;
  config.MergeMode = true;
  config.FontNo = kSimplifiedChinese;
  config.OversampleH = 1;
  // Dear ImGui only reads them.
  ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<char*>(wide_file().data()),
                                             static_cast<int>(wide_file().size()), std::round(size * kWideSize),
                                             &config, ranges.data());
  // Said before, the atlas would copy the file for each size, which delays the first frame by a third.
  ImGui::GetIO().Fonts->ConfigData.back().FontDataOwnedByAtlas = false;
}

// Null where the file is not there.
ImFont* add_file(const char* file, float size, const ImWchar* glyphs, const ImFontConfig& config) {
  const std::filesystem::path path = std::filesystem::path(kFolder) / file;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return nullptr;
  return ImGui::GetIO().Fonts->AddFontFromFileTTF(path.c_str(), size, &config, glyphs);
}

ImFont* add(std::initializer_list<const char*> files, float size, const ImWchar* glyphs) {
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = true;
  for (const char* file : files)
    if (ImFont* font = add_file(file, size, glyphs, config)) return font;
  config.SizePixels = size;
  return ImGui::GetIO().Fonts->AddFontDefault(&config);
}

void merge_arrows(float size) {
  ImFontConfig config;
  config.MergeMode = true;
  add_file(kSans, size, kArrows.data(), config);
}

bool always_there(unsigned letter) {
  for (std::size_t i = 0; i + 1 < kText.size(); i += 2)
    if (kText[i] <= letter && letter <= kText[i + 1]) return true;
  return false;
}

}  // namespace

void add_letters(std::string_view utf8, std::set<ImWchar>& into) {
  const char* at = utf8.data();
  const char* const end = at + utf8.size();
  while (at < end) {
    if (static_cast<unsigned char>(*at) < 0x80) {
      ++at;
      continue;
    }
    unsigned letter = 0;
    const int bytes = ImTextCharFromUtf8(&letter, at, end);
    if (bytes <= 0) break;
    at += bytes;
    if (letter <= IM_UNICODE_CODEPOINT_MAX && !always_there(letter)) into.insert(static_cast<ImWchar>(letter));
  }
}

Fonts build_fonts(float scale, const std::vector<ImWchar>& further) {
  ImGui::GetIO().Fonts->Clear();
  ranges.clear();
  for (const ImWchar letter : further) ranges.insert(ranges.end(), {letter, letter});
  ranges.push_back(0);
  Fonts fonts;
  const auto pixels = [&](float size) { return std::max(8.0f, std::round(size * scale)); };
  // The body comes first: the first font of an atlas is Dear ImGui's default. The timeline's letters are of 15, 14 (on
  // bars) and 13, and on low lanes smaller.
  for (const float size : {15.0f, 13.0f, 14.0f, 11.0f}) {
    fonts.regular.push_back({add({kRoboto, kSans}, pixels(size), kText.data()), pixels(size)});
    merge_arrows(pixels(size));
    merge_wide(pixels(size));
  }
  for (const float size : {15.0f, 13.0f}) {
    fonts.medium.push_back({add({kRobotoMedium, kSansBold}, pixels(size), kText.data()), pixels(size)});
    merge_arrows(pixels(size));
    merge_wide(pixels(size));
  }
  fonts.body = fonts.regular[0];
  fonts.small = fonts.regular[1];
  fonts.strong = fonts.medium[0];
  fonts.large = {add({kRoboto, kSans}, pixels(26), kFigureLetters.data()), pixels(26)};
  fonts.mono = {add({kMono, kSansMono}, pixels(14), kText.data()), pixels(14)};
  merge_wide(pixels(14));
  return fonts;
}

SizedFont pick(const Fonts& fonts, timeline::Font font, float em) {
  // Ascent and descent of JetBrains Mono and of Roboto, in ems: together the line that Dear ImGui's sizes are.
  if (font == timeline::Font::mono) return {fonts.mono.font, 1.32f * em};
  const float line = 1.172f * em;
  const std::vector<SizedFont>& faces = font == timeline::Font::bold ? fonts.medium : fonts.regular;
  const SizedFont nearest = *std::min_element(
      faces.begin(), faces.end(),
      [line](const SizedFont& a, const SizedFont& b) { return std::abs(a.size - line) < std::abs(b.size - line); });
  // Sharp, and hardly wider than it was laid out.
  const bool near = nearest.size > 0.9f * line && nearest.size < 1.035f * line;
  return {nearest.font, near ? nearest.size : line};
}

}  // namespace streamscope::window
