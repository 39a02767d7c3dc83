#include "app/draw/picture_file.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "app/draw/caption.h"
#include "app/draw/paper.h"
#include "app/draw/svg.h"
#include "engine/base/files.h"
#include "engine/base/translate.h"

namespace streamscope::draw {
namespace {

Result<void> wrong(std::string message) { return fail(ErrorKind::bad_input, std::move(message)); }

}  // namespace

std::string_view name(PictureFormat format) {
  static constexpr std::array<std::string_view, 3> kNames{"png", "svg", "pdf"};
  return kNames[static_cast<std::size_t>(format)];
}

Result<void> check_picture(const trace::Run& run, const PictureRequest& request) {
  const FigureOptions& options = request.options;
  TRY(check_size(options.width, options.height));
  TRY(check_scale(options.scale));
  TRY(check_pixels(request.format, options.width, options.height, options.scale));
  return check_figure(run, options);
}

Result<std::filesystem::path> write_picture(const trace::Run& run, const PictureRequest& request) {
  const FigureOptions& options = request.options;
  TRY(check_picture(run, request));
  const timeline::Scene scene = figure(run, options);
  DocumentInfo info = document_info(run);
  if (options.second) {
    info.title = caption_of_both(*options.second).title;
    info.description += "  |  " + document_info(*options.second->run).description;
  }
  if (!options.title.empty()) info.title = options.title;
  switch (request.format) {
    case PictureFormat::png: TRY(write_png(scene, options.scale, request.path)); break;
    case PictureFormat::svg: TRY(write_text(request.path, svg(scene, options.scale, info))); break;
    case PictureFormat::pdf: TRY(write_pdf(scene, options.scale, info, request.path)); break;
  }
  return request.path;
}

Result<void> check_size(int width, int height) {
  for (const int side : {width, height})
    if (side < kSmallestPicture || side > kLargestPicture)
      return wrong(tr("write width x height in pixels, from {0}x{0} to {1}x{1}, such as 1600x900", kSmallestPicture,
                      kLargestPicture));
  return {};
}

Result<void> check_scale(double scale) {
  if (scale >= kSmallestPictureScale && scale <= kLargestPictureScale) return {};
  return wrong(tr("write a factor from {} to {}", kSmallestPictureScale, kLargestPictureScale));
}

Result<void> check_pixels(PictureFormat format, int width, int height, double scale) {
  const double longest = std::max(width, height) * scale;
  if (format == PictureFormat::png && longest > kLongestPng)
    return wrong(
        tr("the picture would have more than {} pixels to a side; --svg and --pdf have no pixels", kLongestPng));
  if (format == PictureFormat::png && std::round(width * scale) * std::round(height * scale) > kLargestPng)
    return wrong(tr("the picture would have more than {:.0f} million pixels at --scale {}; --svg has none",
                    kLargestPng / 1e6, scale));
  if (format == PictureFormat::pdf && longest > kLongestPdf)
    return wrong(tr("the page would be longer than 200 inches, {} pixels; a PDF has no pixels and needs no --scale",
                    kLongestPdf));
  return {};
}

}  // namespace streamscope::draw
