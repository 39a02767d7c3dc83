// A picture on paper: the one list of rectangles, texts and lines, drawn with Cairo. Needs no display.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "app/draw/caption.h"
#include "app/timeline/scene.h"
#include "engine/base/result.h"

namespace streamscope::draw {

// Cairo stops at 32767 pixels a side; the area is that of the largest picture at scale 1, 1.1 GB while it is drawn. A
// page of more than 200 inches opens in few programs.
inline constexpr int kLongestPng = 32767, kLongestPdf = 19'200;
inline constexpr double kLargestPng = 16384.0 * 16384.0;

// `scale` multiplies the size in pixels: 2 for a sharp print. "-" is stdout.
Result<void> write_png(const timeline::Scene& scene, double scale, const std::filesystem::path& path);
// One page, as large on paper as the PNG at 96 pixels to the inch. The same picture and info: the same bytes.
Result<void> write_pdf(const timeline::Scene& scene, double scale, const DocumentInfo& info,
                       const std::filesystem::path& path);
// The same of several pages, all as large as the first.
Result<void> write_pdf(const std::vector<timeline::Scene>& pages, const DocumentInfo& info,
                       const std::filesystem::path& path);

}  // namespace streamscope::draw
