#include "app/draw/paper.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>

#include "app/draw/paint.h"
#include "engine/base/files.h"

namespace streamscope {
namespace {

// Cairo stops at 32767 a side; the area keeps a slip in --size or --scale from eating the memory (400 MB).
constexpr double kLongestSide = 32767;
constexpr double kLargestArea = 100e6;

struct SurfaceDelete {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ContextDelete {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};

cairo_status_t append(void* to, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Result<void> write_png(const Picture& picture, double scale, const std::filesystem::path& path) {
  const double width = std::round(picture.width * scale), height = std::round(picture.height * scale);
  if (!(width >= 1 && height >= 1)) {
    return fail(ErrorKind::bad_input,
                fmt::format("a picture of {}x{} at scale {} has no pixels; write for example --size "
                            "1600x900 --scale 2",
                            picture.width, picture.height, scale));
  }
  if (width > kLongestSide || height > kLongestSide || width * height > kLargestArea) {
    return fail(
        ErrorKind::bad_input,
        fmt::format("a picture of {:.0f}x{:.0f} pixels is too large; at most {:.0f} a side and {:.0f} million in all",
                    width, height, kLongestSide, kLargestArea / 1e6));
  }
  const std::unique_ptr<cairo_surface_t, SurfaceDelete> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)));
  const std::unique_ptr<cairo_t, ContextDelete> context(cairo_create(surface.get()));
  cairo_scale(context.get(), scale, scale);
  paint(context.get(), picture);
  cairo_surface_flush(surface.get());
  std::string bytes;
  cairo_status_t status = cairo_status(context.get());
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) {
    return fail(ErrorKind::bad_input,
                fmt::format("{}: the picture could not be drawn: {}", path.string(), cairo_status_to_string(status)));
  }
  return write_text(path, bytes);
}

}  // namespace streamscope
