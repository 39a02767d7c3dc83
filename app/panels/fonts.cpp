#include "app/panels/fonts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <initializer_list>

namespace streamscope {
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
// What Roboto has not: taken from DejaVu.
constexpr std::array<ImWchar, 7> kArrows = {0x2190, 0x2193, 0x2248, 0x2248, 0x2264, 0x2265, 0};
constexpr std::array<ImWchar, 5> kFigures = {0x0020, 0x007E, 0x00B5, 0x00D7, 0};  // large: figures and units only

ImFont* add(std::initializer_list<const char*> files, float size, const ImWchar* glyphs) {
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = true;
  for (const char* file : files) {
    const std::filesystem::path path = std::filesystem::path(kFolder) / file;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) continue;
    if (ImFont* font = ImGui::GetIO().Fonts->AddFontFromFileTTF(path.c_str(), size, &config, glyphs)) return font;
  }
  config.SizePixels = size;
  return ImGui::GetIO().Fonts->AddFontDefault(&config);
}

void merge_arrows(float size) {
  const std::filesystem::path path = std::filesystem::path(kFolder) / kSans;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;
  ImFontConfig config;
  config.MergeMode = true;
  ImGui::GetIO().Fonts->AddFontFromFileTTF(path.c_str(), size, &config, kArrows.data());
}

}  // namespace

Fonts build_fonts(float scale) {
  ImGui::GetIO().Fonts->Clear();
  Fonts fonts;
  const auto pixels = [&](float size) { return std::max(8.0f, std::round(size * scale)); };
  // The body comes first: the first font of an atlas is Dear ImGui's default.
  for (const float size : {15.0f, 13.0f, 12.0f, 11.0f}) {
    fonts.regular.push_back({add({kRoboto, kSans}, pixels(size), kText.data()), pixels(size)});
    merge_arrows(pixels(size));
  }
  for (const float size : {15.0f, 13.0f, 11.0f})
    fonts.medium.push_back({add({kRobotoMedium, kSansBold}, pixels(size), kText.data()), pixels(size)});
  fonts.body = fonts.regular[0];
  fonts.small = fonts.regular[1];
  fonts.strong = fonts.medium[0];
  fonts.large = {add({kRoboto, kSans}, pixels(26), kFigures.data()), pixels(26)};
  fonts.mono = {add({kMono, kSansMono}, pixels(14), kText.data()), pixels(14)};
  return fonts;
}

SizedFont pick(const Fonts& fonts, Font font, float size) {
  if (font == Font::mono) return fonts.mono;
  const std::vector<SizedFont>& faces = font == Font::bold ? fonts.medium : fonts.regular;
  return *std::min_element(faces.begin(), faces.end(), [size](const SizedFont& a, const SizedFont& b) {
    return std::abs(a.size - size) < std::abs(b.size - size);
  });
}

}  // namespace streamscope
