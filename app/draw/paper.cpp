#include "app/draw/paper.h"

#include <cairo-pdf.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "app/draw/paint.h"
#include "app/draw/shown_text.h"
#include "engine/base/files.h"
#include "engine/base/translate.h"

namespace streamscope::draw {
namespace {

constexpr double kPointsPerPixel = 0.75;  // 72 and 96 to the inch

cairo_status_t append(void* to, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

struct Size {
  double width, height;  // in whole pixels
};
Result<Size> size_of(const timeline::Scene& scene, double scale, double longest, double largest) {
  const double width = std::round(scene.width * scale), height = std::round(scene.height * scale);
  if (!(width >= 1 && height >= 1)) {
    return fail(ErrorKind::bad_input, tr("a picture of {}x{} at scale {} has no pixels; write for example --size "
                                         "1600x900 --scale 2",
                                         scene.width, scene.height, scale));
  }
  if (width > longest || height > longest || width * height > largest) {
    return fail(ErrorKind::bad_input,
                tr("a picture of {:.0f}x{:.0f} pixels is too large; at most {:.0f} a side and {:.0f} million in all",
                   width, height, longest, largest / 1e6));
  }
  return Size{width, height};
}

cairo_status_t draw(cairo_surface_t* surface, const timeline::Scene& scene, double scale) {
  const OwnContext context(cairo_create(surface));
  cairo_scale(context.get(), scale, scale);
  paint(context.get(), scene);
  return cairo_status(context.get());
}

Result<void> write(const std::string& bytes, cairo_status_t status, const std::filesystem::path& path) {
  if (status == CAIRO_STATUS_SUCCESS) return write_text(path, bytes);
  return fail(ErrorKind::bad_input,
              tr("{}: the picture could not be drawn: {}", path.string(), cairo_status_to_string(status)));
}

}  // namespace

Result<void> write_png(const timeline::Scene& scene, double scale, const std::filesystem::path& path) {
  const Size size = TRY(size_of(scene, scale, kLongestPng, kLargestPng));
  const OwnSurface surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(size.width), static_cast<int>(size.height)));
  cairo_status_t status = draw(surface.get(), scene, scale);
  cairo_surface_flush(surface.get());
  std::string bytes;
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
  return write(bytes, status, path);
}

namespace {

Result<void> write_pages(std::span<const timeline::Scene> pages, double scale, const DocumentInfo& info,
                         const std::filesystem::path& path) {
  const Size size = TRY(size_of(pages.front(), scale, kLongestPdf, double{kLongestPdf} * kLongestPdf));
  std::string bytes;
  const OwnSurface surface(
      cairo_pdf_surface_create_for_stream(append, &bytes, size.width * kPointsPerPixel, size.height * kPointsPerPixel));
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);  // nothing here needs a newer reader
  const auto say = [&](cairo_pdf_metadata_t what, const std::string& text) {
    cairo_pdf_surface_set_metadata(surface.get(), what, shown_text(text).c_str());
  };
  say(CAIRO_PDF_METADATA_TITLE, info.title);
  say(CAIRO_PDF_METADATA_SUBJECT, info.description);
  say(CAIRO_PDF_METADATA_CREATOR, "Streamscope");
  say(CAIRO_PDF_METADATA_CREATE_DATE, info.date);  // else Cairo sets the time of now
  // A pixel stays the painter's unit, so that letters stand where they do in the PNG.
  cairo_surface_set_device_scale(surface.get(), kPointsPerPixel, kPointsPerPixel);
  cairo_status_t status = CAIRO_STATUS_SUCCESS;
  for (const timeline::Scene& page : pages) {
    if (status == CAIRO_STATUS_SUCCESS) status = draw(surface.get(), page, scale);
    if (pages.size() > 1) cairo_surface_show_page(surface.get());
  }
  cairo_surface_finish(surface.get());
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface.get());
  return write(bytes, status, path);
}

}  // namespace

Result<void> write_pdf(const timeline::Scene& scene, double scale, const DocumentInfo& info,
                       const std::filesystem::path& path) {
  return write_pages({&scene, 1}, scale, info, path);
}

Result<void> write_pdf(const std::vector<timeline::Scene>& pages, const DocumentInfo& info,
                       const std::filesystem::path& path) {
  if (pages.empty()) return fail(ErrorKind::bad_input, tr("{}: there is nothing to write", path.string()));
  return write_pages(pages, 1, info, path);
}

}  // namespace streamscope::draw
