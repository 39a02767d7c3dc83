// Whether two messages are the same in every field, written out by hand so that it does not rest on the code under
// test.
#pragma once

#include "engine/remote/message.h"

namespace streamscope::samples {

inline bool equal(const std::optional<trace::Statistic>& a, const std::optional<trace::Statistic>& b) {
  if (a.has_value() != b.has_value()) return false;
  return !a || (a->median == b->median && a->minimum == b->minimum && a->maximum == b->maximum);
}

inline bool equal(const Error& a, const Error& b) {
  if (a.longest_kernel != b.longest_kernel || a.wants_own_code != b.wants_own_code) return false;
  if (a.kind != b.kind || a.message != b.message || a.fault.has_value() != b.fault.has_value()) return false;
  return !a.fault || (a.fault->call == b.fault->call && a.fault->code == b.fault->code &&
                      a.fault->name == b.fault->name && a.fault->operation == b.fault->operation);
}

inline bool equal(const device::DeviceInfo& a, const device::DeviceInfo& b) {
  return a.id == b.id && a.name == b.name && a.kind == b.kind && a.driver == b.driver && a.profile == b.profile &&
         a.compute_capability == b.compute_capability && a.memory_bytes == b.memory_bytes && a.devices == b.devices &&
         a.peer == b.peer && a.multiprocessors == b.multiprocessors && a.copy_engines == b.copy_engines &&
         a.lowest_priority == b.lowest_priority && a.highest_priority == b.highest_priority &&
         a.drives_display == b.drives_display && a.what_ifs == b.what_ifs && a.predicted_by == b.predicted_by;
}

inline bool equal(const trace::Provenance& a, const trace::Provenance& b) {
  return a.kind == b.kind && a.device == b.device && a.driver == b.driver && a.profile == b.profile &&
         a.clock == b.clock && a.uncertainty == b.uncertainty && a.instrument == b.instrument && a.gated == b.gated &&
         a.date == b.date && a.share == b.share;
}

inline bool equal(const trace::StreamInfo& a, const trace::StreamInfo& b) {
  return a.name == b.name && a.nonblocking == b.nonblocking && a.priority == b.priority;
}

template <class T>
bool equal(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}

inline bool equal(const trace::Trace& a, const trace::Trace& b) {
  return equal(a.provenance, b.provenance) && equal(a.streams, b.streams) && a.threads == b.threads &&
         a.names == b.names && a.spans == b.spans && a.kernels == b.kernels && a.stages == b.stages &&
         a.device_facts == b.device_facts && a.launches == b.launches && a.answers == b.answers;
}

inline bool equal(const std::optional<trace::Prediction>& a, const std::optional<trace::Prediction>& b) {
  if (a.has_value() != b.has_value()) return false;
  return !a || (a->wall == b->wall && a->makespan == b->makespan && a->notes == b->notes && equal(a->trace, b->trace));
}

inline bool equal(const trace::Run& a, const trace::Run& b) {
  return a.experiment == b.experiment && a.program == b.program && a.runs == b.runs && equal(a.wall, b.wall) &&
         equal(a.bare_wall, b.bare_wall) && equal(a.makespan, b.makespan) && a.observer_effect == b.observer_effect &&
         a.stage_effect == b.stage_effect && a.verified == b.verified && a.notes == b.notes &&
         equal(a.trace, b.trace) && equal(a.prediction, b.prediction) && a.referee == b.referee && a.alone == b.alone;
}

inline bool equal(const remote::message::Hello& a, const remote::message::Hello& b) {
  return a.protocol == b.protocol && a.program == b.program;
}
inline bool equal(const remote::message::AskDevices&, const remote::message::AskDevices&) { return true; }
inline bool equal(const remote::message::Devices& a, const remote::message::Devices& b) {
  return equal(a.list.devices, b.list.devices) && a.list.why_no_gpu == b.list.why_no_gpu &&
         a.list.skipped == b.list.skipped;
}
inline bool equal(const remote::message::StartRun& a, const remote::message::StartRun& b) {
  return a.id == b.id && a.device == b.device && a.program == b.program && a.experiment == b.experiment &&
         a.options.runs == b.options.runs && a.options.instrument == b.options.instrument &&
         a.options.gate == b.options.gate && a.options.share == b.options.share &&
         a.options.min_samples == b.options.min_samples && a.options.max_noise == b.options.max_noise &&
         a.options.timeout == b.options.timeout && a.options.stages_of == b.options.stages_of &&
         a.options.observer_effect == b.options.observer_effect && a.options.verify == b.options.verify &&
         a.options.long_kernels == b.options.long_kernels && a.predict == b.predict && a.referee == b.referee &&
         a.own_times == b.own_times;
}
inline bool equal(const remote::message::Stop& a, const remote::message::Stop& b) { return a.id == b.id; }
inline bool equal(const remote::message::Spans& a, const remote::message::Spans& b) {
  return a.id == b.id && a.spans == b.spans && a.final == b.final && a.predicted == b.predicted;
}
inline bool equal(const remote::message::Passes& a, const remote::message::Passes& b) {
  return a.id == b.id && a.done == b.done && a.total == b.total;
}
inline bool equal(const remote::message::Done& a, const remote::message::Done& b) {
  return a.id == b.id && a.spans == b.spans && a.predicted == b.predicted && equal(a.run, b.run);
}
inline bool equal(const remote::message::Failed& a, const remote::message::Failed& b) {
  return a.id == b.id && equal(a.error, b.error);
}

inline bool equal(const remote::message::Opinion& a, const remote::message::Opinion& b) {
  return a.id == b.id && a.opinion == b.opinion;
}

inline bool same(const remote::Message& a, const remote::Message& b) {
  if (a.index() != b.index()) return false;
  return std::visit([&](const auto& left) { return equal(left, std::get<std::decay_t<decltype(left)>>(b)); }, a);
}

}  // namespace streamscope::samples
