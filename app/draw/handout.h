// Pages to be written on: text, pictures of timelines, and lines for answers, one below the other on A4.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/draw/caption.h"
#include "app/timeline/scene.h"
#include "engine/base/result.h"

namespace streamscope::draw {

struct HandoutPart {
  enum class Kind : std::uint8_t {
    title,
    heading,
    text,     // a paragraph
    item,     // of a list
    code,     // its lines stay as they are
    picture,  // as wide as kHandoutWidth
    answer,   // `lines` of them, to be written on
  };
  Kind kind = Kind::text;
  std::string text = {};
  timeline::Scene picture = {};
  int lines = 3;
};
inline constexpr int kHandoutWidth = 674;  // pixels, 96 to the inch

// Nothing but what is longer than a page is broken in two: a heading stays with what follows it.
std::vector<timeline::Scene> handout_pages(const std::vector<HandoutPart>& parts);
Result<void> write_handout(const std::vector<HandoutPart>& parts, const DocumentInfo& info,
                           const std::filesystem::path& path);

}  // namespace streamscope::draw
