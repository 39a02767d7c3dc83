#include "engine/input/saved_trace.h"

#include <algorithm>
#include <utility>

namespace streamscope::input {
namespace {

constexpr std::size_t kSpansPerProgress = 4096;

}  // namespace

bool SavedTrace::member_of_trace(std::string_view key, trace::Trace& trace, Tables& tables) {
  if (key == "spans") {
    json_.array([&] { span(trace.spans, tables); });
  } else if (key == "kernels") {
    json_.array([&] { trace.kernels.push_back(kernel()); });
  } else if (key == "stages" && !null()) {
    trace.stages = stages();
  } else if (key == "streams") {
    json_.array([&] { trace.streams.push_back(stream()); });
  } else if (key == "threads") {
    trace.threads = texts();
  } else if (key == "names") {
    trace.names = texts();
  } else if (key == "provenance") {
    provenance(trace.provenance);
  } else {
    return false;
  }
  return true;
}

void SavedTrace::complete(trace::Trace& trace, const Tables& tables) {
  std::vector<std::string> streams;
  for (const trace::StreamInfo& each : trace.streams) streams.push_back(each.name);
  const auto names = tables.names.merge_into(trace.names), threads = tables.threads.merge_into(trace.threads),
             lanes = tables.streams.merge_into(streams);
  for (std::size_t i = trace.streams.size(); i < streams.size(); ++i) trace.streams.push_back({streams[i], false, 0});
  for (trace::Span& span : trace.spans) {
    if (span.name < names.size()) span.name = names[span.name];
    if (span.thread < threads.size()) span.thread = threads[span.thread];
    if (span.stream < lanes.size()) span.stream = lanes[span.stream];
  }
  const auto by_operation = [](const auto& a, const auto& b) { return a.operation < b.operation; };
  std::stable_sort(trace.spans.begin(), trace.spans.end(), by_operation);
  std::stable_sort(trace.kernels.begin(), trace.kernels.end(), by_operation);
  std::stable_sort(trace.stages.blocks.begin(), trace.stages.blocks.end(),
                   [](const trace::StageBlock& a, const trace::StageBlock& b) {
                     return std::pair(a.operation, a.block) < std::pair(b.operation, b.block);
                   });
}

void SavedTrace::span(std::vector<trace::Span>& spans, Tables& tables) {
  trace::Span at;
  json_.object([&](std::string_view key) {
    if (null()) return;
    if (key == "op")
      at.operation = integer<OperationIndex>();
    else if (key == "line")
      at.line = integer<std::uint32_t>();
    else if (key == "kind")
      at.kind = word<OperationKind>(operation_kind);
    else if (key == "name")
      at.name = tables.names.number(text());
    else if (key == "stream")
      at.stream = tables.streams.number(text());
    else if (key == "thread")
      at.thread = tables.threads.number(text());
    else if (key == "engine")
      at.engine = word<Engine>(engine);
    else if (key == "bytes")
      at.bytes = integer<std::uint64_t>();
    else if (key == "host_begin_ns")
      at.host_begin = time();
    else if (key == "host_end_ns")
      at.host_end = time();
    else if (key == "ready_ns")
      at.ready = time();
    else if (key == "start_ns")
      at.start = time();
    else if (key == "end_ns")
      at.end = time();
    else if (key == "source")
      at.source = word<trace::Source>(trace::source);
    else if (key == "uncertainty_ns")
      at.uncertainty = integer<std::uint32_t>();
    else if (key == "polls")
      at.polls = integer<std::uint32_t>();
    else if (key == "reason")
      at.reason = word<trace::WaitReason>(trace::wait_reason);
    else if (key == "waits_for_op")
      at.waits_for = integer<OperationIndex>();
    else if (key == "launch_op")
      at.launch = integer<OperationIndex>();
    else if (key == "start_source")
      at.start_source = word<trace::Source>(trace::source);
    else if (key == "ready_source")
      at.ready_source = word<trace::Source>(trace::source);
    else if (key == "start_uncertainty_ns")
      at.start_uncertainty = integer<std::uint32_t>();
    else if (key == "ready_uncertainty_ns")
      at.ready_uncertainty = integer<std::uint32_t>();
    else if (key == "samples")
      at.samples = integer<std::uint32_t>();
    else if (key == "spread_ns")
      at.spread = integer<std::uint32_t>();
  });
  spans.push_back(at);
  if (json_.failed() || spans.size() % kSpansPerProgress != 0) return;
  control_.read(json_.offset(), text_.size());
  if (!control_.stopped()) return;
  stopped_ = true;
  json_.fail_here("stopped");
}

trace::StreamInfo SavedTrace::stream() {
  trace::StreamInfo info;
  json_.object([&](std::string_view key) {
    if (key == "name")
      info.name = text();
    else if (key == "nonblocking")
      info.nonblocking = json_.boolean();
    else if (key == "priority")
      info.priority = integer<int>();
  });
  return info;
}

trace::KernelFacts SavedTrace::kernel() {
  trace::KernelFacts facts;
  json_.object([&](std::string_view key) {
    if (null()) return;
    if (key == "op")
      facts.operation = integer<OperationIndex>();
    else if (key == "blocks")
      facts.blocks = integer<std::uint32_t>();
    else if (key == "threads")
      facts.threads = integer<std::uint32_t>();
    else if (key == "registers")
      facts.registers = integer<std::uint32_t>();
    else if (key == "shared_bytes")
      facts.shared_bytes = integer<std::uint64_t>();
    else if (key == "blocks_at_once")
      facts.blocks_at_once = integer<std::uint32_t>();
    else if (key == "most_threads")
      facts.most_threads = integer<std::uint32_t>();
    else if (key == "multiprocessors")
      facts.multiprocessors = integer<std::uint32_t>();
    else if (key == "bytes")
      facts.bytes = integer<std::uint64_t>();
    else if (key == "flops")
      facts.flops = real();
    else if (key == "device_copy_bytes_per_s")
      facts.copy_rate = real();
    else if (key == "device_peak_flops")
      facts.peak_flops = real();
  });
  return facts;
}

trace::Stages SavedTrace::stages() {
  trace::Stages all;
  json_.object([&](std::string_view key) {
    if (key == "every")
      all.every = integer<std::uint32_t>();
    else if (key == "blocks")
      json_.array([&] { all.blocks.push_back(block()); });
  });
  return all;
}

trace::StageBlock SavedTrace::block() {
  trace::StageBlock made;
  json_.object([&](std::string_view key) {
    if (key == "op")
      made.operation = integer<OperationIndex>();
    else if (key == "block")
      made.block = integer<std::uint32_t>();
    else if (key == "multiprocessor")
      made.multiprocessor = integer<std::uint32_t>();
    else if (key == "warp")
      made.warp = integer<std::uint32_t>();
    else if (key == "copy_warp")
      made.copy_warp = integer<std::uint32_t>();
    else if (key == "places")
      made.places = integer<std::uint32_t>(1, 1u << 16);
    else if (key == "tiles")
      made.tiles = integer<std::uint32_t>();
    else if (key == "begin_ns")
      made.begin = time();
    else if (key == "end_ns")
      made.end = time();
    else if (key == "tiles_ns")
      json_.array([&] { made.stages.push_back(stage()); });
  });
  return made;
}

trace::Stage SavedTrace::stage() {
  trace::Stage made;
  int part = 0;
  json_.array([&] {
    switch (part++) {
      case 0: made.tile = integer<std::uint32_t>(); break;
      case 1: made.load_issued = time(); break;
      case 2: made.wait_begun = time(); break;
      case 3: made.wait_over = time(); break;
      case 4: made.compute_over = time(); break;
      default: break;
    }
  });
  return made;
}

void SavedTrace::provenance(trace::Provenance& from) {
  json_.object([&](std::string_view key) {
    if (null()) return;
    if (key == "kind") {
      const std::size_t at = json_.offset();
      const std::string kind = text();
      if (kind != trace::name(trace::Provenance::Kind::measured) && kind != trace::name(trace::Provenance::Kind::model))
        json_.fail_at(at, "the kind is either \"measured\" or \"model\"");
      from.kind = kind == trace::name(trace::Provenance::Kind::model) ? trace::Provenance::Kind::model
                                                                      : trace::Provenance::Kind::measured;
    } else if (key == "device")
      from.device = text();
    else if (key == "driver")
      from.driver = text();
    else if (key == "profile")
      from.profile = text();
    else if (key == "clock")
      from.clock = text();
    else if (key == "uncertainty_ns")
      from.uncertainty = time();
    else if (key == "instrument")
      from.instrument = text();
    else if (key == "gated")
      from.gated = json_.boolean();
    else if (key == "date")
      from.date = text();
    else if (key == "share")
      from.share = integer<std::uint32_t>();
  });
}

}  // namespace streamscope::input
