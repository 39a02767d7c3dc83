#include "app/window/effects/gallery_pictures.h"

#include "engine/base/files.h"
#include "engine/experiment/read_input.h"
#include "engine/predict/predict.h"

namespace streamscope::window {
namespace {

constexpr std::size_t kMostForPicture = 20'000;

}  // namespace

std::optional<Command> gallery_picture(const std::filesystem::path& file) {
  const auto text = read_text(file);
  if (!text) return std::nullopt;
  const auto input = experiment::read_input({file.filename().string(), file, *text}, {});
  if (!input || input->checked.operations.size() > kMostForPicture) return std::nullopt;
  const device::DeviceSpec model =
      catalog::with_devices(device::model_of(kGalleryModel), program::device_count(input->checked));
  const auto run = predict::predict(model, input->checked, {});
  if (!run) return std::nullopt;
  return Command(command::PictureMade{file, timeline::miniature(run->trace)});
}

}  // namespace streamscope::window
