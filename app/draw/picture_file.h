// The picture of a run as a file, in any format: `run` and the window write theirs through this.
#pragma once

#include <filesystem>
#include <string_view>

#include "app/draw/figure.h"

namespace streamscope::draw {

enum class PictureFormat : std::uint8_t { png, svg, pdf };
std::string_view name(PictureFormat format);  // "png", which a file name ends with, too

struct PictureRequest {
  PictureFormat format = PictureFormat::png;
  FigureOptions options;
  std::filesystem::path path;  // "-": standard output
};
// What is wrong with it, of the four checks below.
Result<void> check_picture(const trace::Run& run, const PictureRequest& request);
// Gives back the path. A file that is there is replaced.
Result<std::filesystem::path> write_picture(const trace::Run& run, const PictureRequest& request);

inline constexpr int kSmallestPicture = 16, kLargestPicture = 16'384;  // pixels a side, before the scale
inline constexpr double kSmallestPictureScale = 0.25, kLargestPictureScale = 8;
// What is wrong with a size or a scale, in words that say what to write; known before a run.
Result<void> check_size(int width, int height);
Result<void> check_scale(double scale);
Result<void> check_pixels(PictureFormat format, int width, int height, double scale);

}  // namespace streamscope::draw
