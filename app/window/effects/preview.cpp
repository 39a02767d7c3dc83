#include "app/window/effects/preview.h"

#include <algorithm>

#include "engine/device/blank_trace.h"
#include "engine/program/read_program.h"

namespace streamscope::window {
namespace {

// Beyond that a preview would take longer to make than it is looked at.
constexpr std::size_t kMostOperations = 200'000;

}  // namespace

std::shared_ptr<const trace::Run> preview_of(const std::string& program, const std::string& device,
                                             const device::DeviceList& devices, const std::vector<trace::Span>& spans) {
  if (devices.devices.empty() || spans.size() > kMostOperations) return nullptr;
  const auto read = program::read_program(program, "program");
  if (!read || read->program.operations.size() > kMostOperations) return nullptr;
  const auto found = std::find_if(devices.devices.begin(), devices.devices.end(),
                                  [&](const device::DeviceInfo& each) { return each.id == device; });
  const device::DeviceInfo& info = found == devices.devices.end() ? devices.devices.front() : *found;
  auto run = std::make_shared<trace::Run>();
  run->program = program;
  run->notes = {{trace::NoteKind::preview, "This run goes on: what is shown is what has come so far."}};
  run->trace = device::frame_of(read->program, {.kind = info.kind,
                                                .device = info.name,
                                                .driver = info.driver,
                                                .profile = info.profile,
                                                .clock = {},
                                                .uncertainty = 0,
                                                .instrument = {},
                                                .date = {}});
  run->trace.spans = spans;
  std::sort(run->trace.spans.begin(), run->trace.spans.end(),
            [](const trace::Span& a, const trace::Span& b) { return a.operation < b.operation; });
  return run;
}

}  // namespace streamscope::window
