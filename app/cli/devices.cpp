// `streamscope devices`: what --device may name.
#include <fmt/format.h>

#include <memory>

#include "app/cli/command.h"
#include "app/cli/outputs.h"
#include "engine/base/files.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/device/catalog/catalog.h"
#include "engine/output/output.h"

namespace streamscope::cli {
namespace {

std::string table(const device::DeviceList& list) {
  std::string text = fmt::format("{:<14} {:<9} {:<28} {:>10} {:>5} {:>7}  {}\n", tr("DEVICE"), tr("KIND"), tr("NAME"),
                                 tr("MEMORY"), tr("SMs"), tr("ENGINES"), tr("DRIVER OR PROFILE"));
  for (const device::DeviceInfo& device : list.devices) {
    text += fmt::format("{:<14} {:<9} {:<28} {:>10} {:>5} {:>7}  {}\n", device.id, tr(trace::badge(device.kind)),
                        device.name, display_bytes(device.memory_bytes), device.multiprocessors, device.copy_engines,
                        device.kind == trace::Provenance::Kind::model ? device.profile : device.driver);
  }
  if (!list.why_no_gpu.empty()) text += tr("no GPU: {}\n", list.why_no_gpu);
  return text;
}

}  // namespace

Command devices_command() {
  const auto file = std::make_shared<std::string>();
  return {.name = "devices",
          .about = tr("List the devices that --device may name"),
          .options = {{"--json", file.get(), tr("Write the list as JSON; - is standard output"), "F"}},
          .run = [file]() -> Result<int> {
            TRY(check_outputs({{"--json", *file}}));
            const device::DeviceList list = catalog::list_devices();
            TRY(file->empty() ? write_text("-", table(list)) : write_text(*file, output::to_json(list)));
            return 0;
          }};
}

}  // namespace streamscope::cli
