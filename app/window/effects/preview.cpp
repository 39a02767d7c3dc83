#include "app/window/effects/preview.h"

#include <algorithm>

#include "engine/program/text.h"

namespace streamscope {
namespace {

// Beyond that a glimpse would take longer to make than it is looked at.
constexpr std::size_t kMostOperations = 200'000;

}  // namespace

std::shared_ptr<const Run> glimpse_of(const std::string& program, const std::string& device, const DeviceList& devices,
                                      const std::vector<Span>& spans) {
  if (devices.devices.empty() || spans.size() > kMostOperations) return nullptr;
  const auto read = read_program(program, "program");
  if (!read || read->program.operations.size() > kMostOperations) return nullptr;
  const auto found = std::find_if(devices.devices.begin(), devices.devices.end(),
                                  [&](const DeviceInfo& each) { return each.id == device; });
  const DeviceInfo& info = found == devices.devices.end() ? devices.devices.front() : *found;
  auto run = std::make_shared<Run>();
  run->program = program;
  run->notes = {"This run goes on: what is shown is what has come so far."};
  run->trace = frame_of(read->program, {.kind = info.kind,
                                        .device = info.name,
                                        .driver = info.driver,
                                        .profile = info.profile,
                                        .clock = {},
                                        .uncertainty = 0,
                                        .instrument = {},
                                        .date = {}});
  run->trace.spans = spans;
  std::sort(run->trace.spans.begin(), run->trace.spans.end(),
            [](const Span& a, const Span& b) { return a.operation < b.operation; });
  return run;
}

}  // namespace streamscope
