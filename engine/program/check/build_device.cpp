// What names a device: sides of buffers, copies between devices, the current device and peer access.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"

namespace streamscope::program {

bool OperationBuilder::on_device(const syntax::Name& where, const Buffer& buffer, std::optional<DeviceId> device) {
  if (!device || has_side(buffer, *device)) return true;
  if (buffer.made_in_run)
    return deny(where, tr("'{}' (line {}) is memory of device {}, and this is work of device {}; allocate it on that "
                          "device, or use a stream of device {}",
                          buffer.name, buffer.line, buffer.device.value, device->value, buffer.device.value));
  std::string all;
  for (const DeviceId each : buffer.more_devices) all += fmt::format(",{}", each.value);
  return deny(where, tr("'{}' (line {}) has no side on device {}, which this is work of; declare it with "
                        "`buffer {} {} device={}{},{}`, or use a stream of a device that it has a side on",
                        buffer.name, buffer.line, device->value, buffer.name, exact_bytes(buffer.bytes),
                        buffer.device.value, all, device->value));
}

bool OperationBuilder::records_here(const syntax::Name& where, const Event& event) {
  if (!device_ || event.device == *device_) return true;
  return deny(where,
              tr("'{}' is an event of device {}, and this is a stream of device {}: cudaEventRecord refuses that "
                 "(cudaErrorInvalidResourceHandle); declare it with `event {} device={}`, or record another one",
                 event.name, event.device.value, device_->value, event.name, device_->value));
}

OperationBuilder::Built OperationBuilder::peer_copy() {
  const auto to_device = device_named(expansion_, *range_text(0).device);
  const auto from_device = device_named(expansion_, *range_text(1).device);
  if (!to_device || !from_device) return std::nullopt;
  const auto to = range(range_text(0), Side::device, to_device), from = range(range_text(1), Side::device, from_device);
  if (!to || !from) return std::nullopt;
  if (*to_device == *from_device)
    return refuse(*range_text(1).device,
                  tr("both sides are of device {}; write `d2d` for a copy within a device", to_device->value));
  if (device_ && *device_ != *to_device && *device_ != *from_device)
    return refuse(*statement_.stream,
                  tr("this is a stream of device {}, and the copy is between devices {} and {}; give "
                     "it to a stream of one of the two",
                     device_->value, from_device->value, to_device->value));
  for (const std::size_t i : {0, 1}) {
    const Buffer& buffer = expansion_.program.buffers[(i == 0 ? *to : *from).buffer.value];
    if (!is_shared(buffer.host)) continue;
    return refuse(
        range_text(i).buffer,
        tr("'{}' is {} (line {}): it has no side of a device that could be copied; declare it with host=pinned",
           buffer.name, program::name(buffer.host), buffer.line));
  }
  if (to->bytes != from->bytes)
    return refuse(range_text(1).buffer, tr("the two ranges differ in length: {} bytes to, {} bytes from; give both the "
                                           "same",
                                           to->bytes, from->bytes));
  return op::PeerCopy{*to, *from, *to_device, *from_device};
}

OperationBuilder::Built OperationBuilder::set_device() {
  const auto device = device_named(expansion_, number(0));
  if (!device) return std::nullopt;
  expansion_.device = *device;
  return op::SetDevice{*device};
}

// The main thread's alone, so that it is known which devices reach each other when a copy is issued.
OperationBuilder::Built OperationBuilder::peer_access() {
  const auto first = device_named(expansion_, number(0)), second = device_named(expansion_, number(1));
  if (!first || !second) return std::nullopt;
  const bool on = std::get<syntax::Word>(statement_.arguments[2]).text == "on";
  if (*first == *second)
    return refuse(number(1), tr("a device reaches its own memory (cudaErrorInvalidDevice); name two devices"));
  if (expansion_.thread != ThreadId{0}) {
    expansion_.diagnostics.error(statement_.location,
                                 tr("only the main thread turns peer access on and off here; move this line out of the "
                                    "thread"));
    return std::nullopt;
  }
  std::uint32_t& since = expansion_.reached[std::minmax(*first, *second)];
  if (on && since != 0)
    return refuse(number(0), tr("devices {} and {} reach each other since line {} (cudaErrorPeerAccessAlreadyEnabled)",
                                first->value, second->value, since));
  if (!on && since == 0)
    return refuse(number(0), tr("devices {} and {} do not reach each other here (cudaErrorPeerAccessNotEnabled)",
                                first->value, second->value));
  since = on ? statement_.location.line : 0;
  return op::PeerAccess{*first, *second, on};
}

}  // namespace streamscope::program
