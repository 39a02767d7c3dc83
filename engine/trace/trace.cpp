#include "engine/trace/trace.h"

#include <algorithm>

#include "engine/base/translate.h"

namespace streamscope::trace {

std::optional<Statistic> statistic(std::vector<Nanoseconds> samples) {
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  Statistic result{samples[(samples.size() - 1) / 2], samples.front(), samples.back()};
  if (samples.size() >= kFewestForSpread) {
    const auto at = [&](std::size_t quarter) { return samples[(samples.size() - 1) * quarter / 4]; };
    result.spread = (at(3) - at(1) + 1) / 2;
  }
  return result;
}

std::optional<ObserverEffect> observer_effect(const std::vector<Nanoseconds>& instrumented,
                                              const std::vector<Nanoseconds>& bare) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(instrumented.size(), bare.size()); ++i) {
    if (bare[i] > 0) ratios.push_back(static_cast<double>(instrumented[i]) / static_cast<double>(bare[i]));
  }
  if (ratios.size() < kFewestPairs) return std::nullopt;
  std::sort(ratios.begin(), ratios.end());
  const auto at = [&](std::size_t quarter) { return ratios[(ratios.size() - 1) * quarter / 4]; };
  return ObserverEffect{at(2), at(1), at(3), static_cast<int>(ratios.size())};
}

std::string instrument_text(const Provenance& provenance) {
  std::string text = provenance.instrument;
  if (provenance.share > 0) text += " 1/" + std::to_string(provenance.share);
  if (provenance.gated) text += tr(" with the gate");
  return text;
}

std::string_view name(Provenance::Kind kind) { return kind == Provenance::Kind::measured ? "measured" : "model"; }
std::string_view badge(Provenance::Kind kind) {
  return kind == Provenance::Kind::measured ? tr_later("MEASURED") : tr_later("MODEL");
}

namespace {

// By what their readers name as the instrument (engine/input).
struct Tool {
  std::string_view instrument, badge;
};
constexpr Tool kTools[] = {{"pytorch", tr_later("PYTORCH TRACE")},
                           {"chrome trace", tr_later("CHROME TRACE")},
                           {"nsys", tr_later("NSIGHT TRACE")}};

const Tool* tool_of(const Provenance& provenance) {
  for (const Tool& each : kTools)
    if (each.instrument == provenance.instrument) return &each;
  return nullptr;
}

}  // namespace

std::string_view badge(const Provenance& provenance) {
  const Tool* const tool = tool_of(provenance);
  return tool != nullptr ? tool->badge : badge(provenance.kind);
}
bool of_another_tool(const Provenance& provenance) { return tool_of(provenance) != nullptr; }

std::size_t device_count(const Trace& trace) { return 1 + trace.other_devices.size(); }

std::optional<std::string> wrong_devices(const Trace& trace) {
  const std::size_t devices = device_count(trace);
  if (devices > kMostDevices) return tr("a run on {} devices; {} are the most", devices, kMostDevices);
  for (const Span& span : trace.spans)
    if (span.device >= devices)
      return tr("operation {} ran on device {}, and of {} is said where their times come from", span.operation,
                span.device, devices);
  for (const StreamInfo& stream : trace.streams)
    if (stream.device >= devices)
      return tr("stream {} is of device {}, and of {} is said where their times come from", stream.name, stream.device,
                devices);
  return std::nullopt;
}

std::string of_device(const Trace& trace, std::size_t device) {
  return trace.other_devices.empty() ? std::string() : tr(", device {}", device);
}

const Provenance& provenance_of(const Trace& trace, std::size_t device) {
  return device == 0 ? trace.provenance : trace.other_devices[device - 1];
}

bool device_work(const Span& span) {
  return span.engine == Engine::h2d || span.engine == Engine::d2h || span.engine == Engine::compute ||
         span.engine == Engine::peer || span.kind == OperationKind::hostfn;
}

Nanoseconds makespan(const std::vector<Span>& spans) {
  Nanoseconds first = kAbsent, last = kAbsent;
  for (const Span& span : spans) {
    if (!device_work(span) || !known(span.start) || !known(span.end) || span.end < span.start) continue;
    if (!known(first) || span.start < first) first = span.start;
    if (!known(last) || span.end > last) last = span.end;
  }
  return elapsed(first, last);
}

}  // namespace streamscope::trace
