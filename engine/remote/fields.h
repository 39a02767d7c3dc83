// The fields of every message, told once for both directions: an archive that writes and one that reads go over the
// same list, so the two cannot drift apart. An archive has kWrites, field(key, value) and columns(key, rows).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "engine/device/stage_plan.h"
#include "engine/remote/message.h"
#include "engine/remote/wire.h"

namespace streamscope::fields {

// On the wire a message is known by its name; in the order of Message's alternatives.
inline constexpr std::array<std::string_view, std::variant_size_v<Message>> kTypes{
    "hello", "ask-devices", "devices", "run", "stop", "spans", "passes", "done", "failed"};

// How many values each enumeration has: a reader refuses what is beyond.
template <class T>
inline constexpr std::size_t kValues = 0;
template <>
inline constexpr std::size_t kValues<ErrorKind> = 5;
template <>
inline constexpr std::size_t kValues<Instrument> = 4;
template <>
inline constexpr std::size_t kValues<Provenance::Kind> = 2;
template <>
inline constexpr std::size_t kValues<OperationKind> = kOperationKinds;
template <>
inline constexpr std::size_t kValues<Engine> = kEngines;
template <>
inline constexpr std::size_t kValues<Source> = 7;
template <>
inline constexpr std::size_t kValues<WaitReason> = 10;

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
void fields(A& a, Of<A, WhatIfNumber>& v) {
  a.field("key", v.key);
  a.field("name", v.name);
  a.field("meaning", v.meaning);
  a.field("unit", v.unit);
  a.field("least", v.least);
  a.field("most", v.most);
  a.field("value", v.value);
}

template <class A>
void fields(A& a, Of<A, DeviceInfo>& v) {
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
void fields(A& a, Of<A, DeviceList>& v) {
  a.field("devices", v.devices);
  a.field("why_no_gpu", v.why_no_gpu);
}

template <class A>
void fields(A& a, Of<A, MeasureOptions>& v) {
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
void fields(A& a, Of<A, Statistic>& v) {
  a.field("median", v.median);
  a.field("minimum", v.minimum);
  a.field("maximum", v.maximum);
  a.field("spread", v.spread);
}

template <class A>
void fields(A& a, Of<A, ObserverEffect>& v) {
  a.field("median", v.median);
  a.field("low", v.low);
  a.field("high", v.high);
  a.field("pairs", v.pairs);
}

template <class A>
void fields(A& a, Of<A, Provenance>& v) {
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
void fields(A& a, Of<A, StreamInfo>& v) {
  a.field("name", v.name);
  a.field("nonblocking", v.nonblocking);
  a.field("priority", v.priority);
}

template <class A>
void fields(A& a, Of<A, StageBlock>& v) {
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
void fields(A& a, Of<A, Stages>& v) {
  a.field("every", v.every);
  a.field("blocks", v.blocks);
}

template <class A>
void fields(A& a, Of<A, Trace>& v) {  // without its spans
  a.field("provenance", v.provenance);
  a.field("streams", v.streams);
  a.field("threads", v.threads);
  a.field("names", v.names);
  a.columns("kernels", v.kernels);
  a.field("stages", v.stages);
}

template <class A>
void fields(A& a, Of<A, Prediction>& v) {
  a.field("wall", v.wall);
  a.field("makespan", v.makespan);
  a.field("notes", v.notes);
  a.field("trace", v.trace);
}

template <class A>
void fields(A& a, Of<A, Run>& v) {
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
inline constexpr std::size_t kMostRows<Span> = kSpansPerMessage;
template <>
inline constexpr std::size_t kMostRows<Stage> = kMostStagesKept;
template <>
inline constexpr std::size_t kMostRows<KernelFacts> = kMostKernelFacts;

template <class F>
void each_column(const Stage*, F&& f) {
  f("tile", &Stage::tile);
  f("load_issued", &Stage::load_issued);
  f("wait_begun", &Stage::wait_begun);
  f("wait_over", &Stage::wait_over);
  f("compute_over", &Stage::compute_over);
}

template <class F>
void each_column(const KernelFacts*, F&& f) {
  f("operation", &KernelFacts::operation);
  f("blocks", &KernelFacts::blocks);
  f("threads", &KernelFacts::threads);
  f("registers", &KernelFacts::registers);
  f("shared_bytes", &KernelFacts::shared_bytes);
  f("blocks_at_once", &KernelFacts::blocks_at_once);
  f("most_threads", &KernelFacts::most_threads);
  f("multiprocessors", &KernelFacts::multiprocessors);
  f("bytes", &KernelFacts::bytes);
  f("flops", &KernelFacts::flops);
  f("copy_rate", &KernelFacts::copy_rate);
  f("peak_flops", &KernelFacts::peak_flops);
}

template <class F>
void each_column(const Span*, F&& f) {
  f("operation", &Span::operation);
  f("line", &Span::line);
  f("name", &Span::name);
  f("stream", &Span::stream);
  f("kind", &Span::kind);
  f("engine", &Span::engine);
  f("ready_source", &Span::ready_source);
  f("start_source", &Span::start_source);
  f("source", &Span::source);
  f("reason", &Span::reason);
  f("waits_for", &Span::waits_for);
  f("launch", &Span::launch);
  f("thread", &Span::thread);
  f("bytes", &Span::bytes);
  f("host_begin", &Span::host_begin);
  f("host_end", &Span::host_end);
  f("ready", &Span::ready);
  f("start", &Span::start);
  f("end", &Span::end);
  f("ready_uncertainty", &Span::ready_uncertainty);
  f("start_uncertainty", &Span::start_uncertainty);
  f("uncertainty", &Span::uncertainty);
  f("samples", &Span::samples);
  f("spread", &Span::spread);
  f("polls", &Span::polls);
}

}  // namespace streamscope::fields
