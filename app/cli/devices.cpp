// `streamscope devices`: what --device may name.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/outputs.h"
#include "engine/base/files.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/device/catalog/catalog.h"
#include "engine/output/output.h"

namespace streamscope::cli {
namespace {

using Row = std::array<std::string, 7>;

std::string table(const device::DeviceList& list) {
  std::vector<Row> rows{
      {tr("DEVICE"), tr("KIND"), tr("NAME"), tr("MEMORY"), tr("SMs"), tr("ENGINES"), tr("DRIVER OR PROFILE")}};
  for (const device::DeviceInfo& device : list.devices) {
    rows.push_back(Row{device.id, std::string(tr(trace::badge(device.kind))), device::title(device),
                       display_bytes(device.memory_bytes), std::to_string(device.multiprocessors),
                       std::to_string(device.copy_engines),
                       device.kind == trace::Provenance::Kind::model ? device.profile : device.driver});
  }
  std::array<std::size_t, 6> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>{}}  {:>{}}  {:>{}}  {}\n", row[0], widths[0], row[1], widths[1],
                        row[2], widths[2], row[3], widths[3], row[4], widths[4], row[5], widths[5], row[6]);
  }
  for (const device::SkippedGpu& gpu : list.skipped) {
    text += gpu.name.empty() ? tr("{}: cannot be used: {}\n", gpu.id, gpu.why)
                             : tr("{} ({}): cannot be used: {}\n", gpu.id, gpu.name, gpu.why);
  }
  if (!list.why_no_gpu.empty() && list.skipped.empty()) text += tr("no GPU: {}\n", list.why_no_gpu);
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
