// The fields of every message, listed once for both directions: an archive that writes and one that reads go over the
// same list, so the two cannot drift apart. An archive has kWrites, field(key, value) and columns(key, rows).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "engine/device/stage_plan.h"
#include "engine/remote/message.h"
#include "engine/remote/wire.h"

namespace streamscope::remote::fields {

// On the wire a message is known by its name; in the order of Message's alternatives.
inline constexpr std::array<std::string_view, std::variant_size_v<Message>> kTypes{
    "hello", "ask-devices", "devices", "run", "stop", "spans", "passes", "done", "failed"};

// How many values each enumeration has: a reader refuses what is beyond.
template <class T>
inline constexpr std::size_t kValues = 0;
template <>
inline constexpr std::size_t kValues<ErrorKind> = 5;
template <>
inline constexpr std::size_t kValues<device::Instrument> = 4;
template <>
inline constexpr std::size_t kValues<trace::Provenance::Kind> = 2;
template <>
inline constexpr std::size_t kValues<OperationKind> = kOperationKinds;
template <>
inline constexpr std::size_t kValues<Engine> = kEngines;
template <>
inline constexpr std::size_t kValues<trace::Source> = 7;
template <>
inline constexpr std::size_t kValues<trace::WaitReason> = 10;

template <class A, class T>
using Of = std::conditional_t<A::kWrites, const T, T>;

template <class A>
void fields(A& a, Of<A, DeviceFault>& v) {
  a.field("call", v.call);
  a.field("code", v.code);
  a.field("name", v.name);
  a.field("operation", v.operation);
}

template <class A>
void fields(A& a, Of<A, Error>& v) {
  a.field("kind", v.kind);
  a.field("message", v.message);
  a.field("fault", v.fault);
}

template <class A>
void fields(A& a, Of<A, device::WhatIfNumber>& v) {
  a.field("key", v.key);
  a.field("name", v.name);
  a.field("meaning", v.meaning);
  a.field("unit", v.unit);
  a.field("least", v.least);
  a.field("most", v.most);
  a.field("value", v.value);
}

template <class A>
void fields(A& a, Of<A, device::DeviceInfo>& v) {
  a.field("id", v.id);
  a.field("name", v.name);
  a.field("kind", v.kind);
  a.field("driver", v.driver);
  a.field("profile", v.profile);
  a.field("compute_capability", v.compute_capability);
  a.field("memory_bytes", v.memory_bytes);
  a.field("multiprocessors", v.multiprocessors);
  a.field("copy_engines", v.copy_engines);
  a.field("lowest_priority", v.lowest_priority);
  a.field("highest_priority", v.highest_priority);
  a.field("drives_display", v.drives_display);
  a.field("what_ifs", v.what_ifs);
  a.field("predicted_by", v.predicted_by);
}

template <class A>
void fields(A& a, Of<A, device::DeviceList>& v) {
  a.field("devices", v.devices);
  a.field("why_no_gpu", v.why_no_gpu);
}

template <class A>
void fields(A& a, Of<A, measure::MeasureOptions>& v) {
  a.field("runs", v.runs);
  a.field("instrument", v.instrument);
  a.field("gate", v.gate);
  a.field("share", v.share);
  a.field("min_samples", v.min_samples);
  a.field("max_noise", v.max_noise);
  a.field("timeout", v.timeout);
  a.field("stages_of", v.stages_of);
  a.field("observer_effect", v.observer_effect);
  a.field("verify", v.verify);
  a.field("long_kernels", v.long_kernels);
}

template <class A>
void fields(A& a, Of<A, trace::Statistic>& v) {
  a.field("median", v.median);
  a.field("minimum", v.minimum);
  a.field("maximum", v.maximum);
  a.field("spread", v.spread);
}

template <class A>
void fields(A& a, Of<A, trace::ObserverEffect>& v) {
  a.field("median", v.median);
  a.field("low", v.low);
  a.field("high", v.high);
  a.field("pairs", v.pairs);
}

template <class A>
void fields(A& a, Of<A, trace::Provenance>& v) {
  a.field("kind", v.kind);
  a.field("device", v.device);
  a.field("driver", v.driver);
  a.field("profile", v.profile);
  a.field("clock", v.clock);
  a.field("uncertainty", v.uncertainty);
  a.field("instrument", v.instrument);
  a.field("gated", v.gated);
  a.field("date", v.date);
  a.field("share", v.share);
}

template <class A>
void fields(A& a, Of<A, trace::StreamInfo>& v) {
  a.field("name", v.name);
  a.field("nonblocking", v.nonblocking);
  a.field("priority", v.priority);
}

template <class A>
void fields(A& a, Of<A, trace::StageBlock>& v) {
  a.field("operation", v.operation);
  a.field("block", v.block);
  a.field("multiprocessor", v.multiprocessor);
  a.field("warp", v.warp);
  a.field("copy_warp", v.copy_warp);
  a.field("places", v.places);
  a.field("tiles", v.tiles);
  a.field("begin", v.begin);
  a.field("end", v.end);
  a.columns("stages", v.stages);
}

template <class A>
void fields(A& a, Of<A, trace::Stages>& v) {
  a.field("every", v.every);
  a.field("blocks", v.blocks);
}

template <class A>
void fields(A& a, Of<A, trace::Trace>& v) {  // without its spans
  a.field("provenance", v.provenance);
  a.field("streams", v.streams);
  a.field("threads", v.threads);
  a.field("names", v.names);
  a.columns("kernels", v.kernels);
  a.field("stages", v.stages);
}

template <class A>
void fields(A& a, Of<A, trace::Prediction>& v) {
  a.field("wall", v.wall);
  a.field("makespan", v.makespan);
  a.field("notes", v.notes);
  a.field("trace", v.trace);
}

template <class A>
void fields(A& a, Of<A, trace::Run>& v) {
  a.field("experiment", v.experiment);
  a.field("program", v.program);
  a.field("runs", v.runs);
  a.field("wall", v.wall);
  a.field("bare_wall", v.bare_wall);
  a.field("makespan", v.makespan);
  a.field("observer_effect", v.observer_effect);
  a.field("stage_effect", v.stage_effect);
  a.field("verified", v.verified);
  a.field("notes", v.notes);
  a.field("trace", v.trace);
  a.field("prediction", v.prediction);
}

template <class A>
void fields(A& a, Of<A, message::Hello>& v) {
  a.field("protocol", v.protocol);
  a.field("program", v.program);
}

template <class A>
void fields(A&, Of<A, message::AskDevices>&) {}

template <class A>
void fields(A& a, Of<A, message::Devices>& v) {
  a.field("list", v.list);
}

template <class A>
void fields(A& a, Of<A, message::StartRun>& v) {
  a.field("id", v.id);
  a.field("device", v.device);
  a.field("program", v.program);
  a.field("experiment", v.experiment);
  a.field("options", v.options);
  a.field("predict", v.predict);
}

template <class A>
void fields(A& a, Of<A, message::Stop>& v) {
  a.field("id", v.id);
}

template <class A>
void fields(A& a, Of<A, message::Spans>& v) {
  a.field("id", v.id);
  a.field("final", v.final);
  a.field("predicted", v.predicted);
  a.columns("spans", v.spans);
}

template <class A>
void fields(A& a, Of<A, message::Passes>& v) {
  a.field("id", v.id);
  a.field("done", v.done);
  a.field("total", v.total);
}

template <class A>
void fields(A& a, Of<A, message::Done>& v) {
  a.field("id", v.id);
  a.field("run", v.run);
  a.field("spans", v.spans);
  a.field("predicted", v.predicted);
}

template <class A>
void fields(A& a, Of<A, message::Failed>& v) {
  a.field("id", v.id);
  a.field("error", v.error);
}

// Of what is packed by column: how many rows one message may have, its first column, and f(key, pointer to member) for
// each.
template <class Row>
inline constexpr std::size_t kMostRows = 0;
template <>
inline constexpr std::size_t kMostRows<trace::Span> = kSpansPerMessage;
template <>
inline constexpr std::size_t kMostRows<trace::Stage> = device::kMostStagesKept;
template <>
inline constexpr std::size_t kMostRows<trace::KernelFacts> = trace::kMostKernelFacts;

template <class F>
void each_column(const trace::Stage*, F&& f) {
  f("tile", &trace::Stage::tile);
  f("load_issued", &trace::Stage::load_issued);
  f("wait_begun", &trace::Stage::wait_begun);
  f("wait_over", &trace::Stage::wait_over);
  f("compute_over", &trace::Stage::compute_over);
}

template <class F>
void each_column(const trace::KernelFacts*, F&& f) {
  f("operation", &trace::KernelFacts::operation);
  f("blocks", &trace::KernelFacts::blocks);
  f("threads", &trace::KernelFacts::threads);
  f("registers", &trace::KernelFacts::registers);
  f("shared_bytes", &trace::KernelFacts::shared_bytes);
  f("blocks_at_once", &trace::KernelFacts::blocks_at_once);
  f("most_threads", &trace::KernelFacts::most_threads);
  f("multiprocessors", &trace::KernelFacts::multiprocessors);
  f("bytes", &trace::KernelFacts::bytes);
  f("flops", &trace::KernelFacts::flops);
  f("copy_rate", &trace::KernelFacts::copy_rate);
  f("peak_flops", &trace::KernelFacts::peak_flops);
}

template <class F>
void each_column(const trace::Span*, F&& f) {
  f("operation", &trace::Span::operation);
  f("line", &trace::Span::line);
  f("name", &trace::Span::name);
  f("stream", &trace::Span::stream);
  f("kind", &trace::Span::kind);
  f("engine", &trace::Span::engine);
  f("ready_source", &trace::Span::ready_source);
  f("start_source", &trace::Span::start_source);
  f("source", &trace::Span::source);
  f("reason", &trace::Span::reason);
  f("waits_for", &trace::Span::waits_for);
  f("launch", &trace::Span::launch);
  f("thread", &trace::Span::thread);
  f("bytes", &trace::Span::bytes);
  f("host_begin", &trace::Span::host_begin);
  f("host_end", &trace::Span::host_end);
  f("ready", &trace::Span::ready);
  f("start", &trace::Span::start);
  f("end", &trace::Span::end);
  f("ready_uncertainty", &trace::Span::ready_uncertainty);
  f("start_uncertainty", &trace::Span::start_uncertainty);
  f("uncertainty", &trace::Span::uncertainty);
  f("samples", &trace::Span::samples);
  f("spread", &trace::Span::spread);
  f("polls", &trace::Span::polls);
}

}  // namespace streamscope::remote::fields
