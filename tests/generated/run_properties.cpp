// What must hold of the spans of one run.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>

#include "engine/device/model/host/host_call.h"
#include "engine/program/order/in_one_stream.h"
#include "engine/program/order/order.h"
#include "engine/reconstruct/contradictions.h"
#include "tests/generated/property.h"

namespace streamscope::generated {
namespace {

using program::describe;
using trace::Span;

std::string at(const Subject& subject, OperationIndex i, std::string_view what) {
  const Span& span = subject.trace.spans[i];
  return fmt::format("{}: {} (call {} to {}, ready {}, {} to {})", describe(subject.program, i), what, span.host_begin,
                     span.host_end, span.ready, span.start, span.end);
}

std::string whole(const Subject& subject, Tally& tally) {
  const std::vector<Span>& spans = subject.trace.spans;
  if (spans.size() != subject.program.operations.size()) return "not a span for each operation";
  std::vector<Nanoseconds> thread_at(subject.program.threads.size(), 0);
  tally.operations += spans.size();
  for (OperationIndex i = 0; i < spans.size(); ++i) {
    const Span& span = spans[i];
    if (span.operation != i || span.source != trace::Source::model)
      return at(subject, i, "it is not the model's span of it");
    if (!known(span.host_begin) || !known(span.host_end) || !known(span.ready) || !known(span.start) ||
        !known(span.end))
      return at(subject, i, "a time is not known");
    if (span.host_begin > span.host_end) return at(subject, i, "its call returns before it is made");
    if (span.host_begin > span.ready || span.ready > span.start || span.start > span.end)
      return at(subject, i, "its times are not in order");
    if (span.waits_for != kNoOperation && span.waits_for >= spans.size())
      return at(subject, i, "it waits for nothing there is");
    if (span.reason == trace::WaitReason::engine && span.ready >= span.start)
      return at(subject, i, "it waited no time for its engine");
    if (span.launch != kNoOperation) continue;  // no call of its own
    const program::Operation& operation = subject.program.operations[i];
    Nanoseconds& now = thread_at[operation.thread.value];
    if (span.host_begin < now) return at(subject, i, "its call is made before the thread's last one returned");
    if (operation.thread.value == 0 && span.host_begin != now)
      return at(subject, i, "the main thread is idle before it");
    now = span.host_end;
    if (const auto* started = std::get_if<program::op::StartThread>(&operation.work))
      thread_at[started->thread.value] = span.host_begin;
  }
  if (subject.wall != thread_at[0])
    return fmt::format("the wall time {} is not the main thread's end {}", subject.wall, thread_at[0]);
  return {};
}

// Of two threads' calls at one time it is not seen which one came first, where one waited for room.
bool come_at_one_time(const Subject& subject, OperationIndex a, OperationIndex b) {
  const Span &one = subject.trace.spans[a], &other = subject.trace.spans[b];
  const bool two_threads = subject.program.operations[a].thread != subject.program.operations[b].thread;
  return two_threads && one.host_begin < other.host_end && other.host_begin < one.host_end;
}

std::string ordered(const Subject& subject, Tally&) {
  std::vector<Nanoseconds> calls;
  for (const Span& span : subject.trace.spans) calls.push_back(span.host_begin);
  const program::Dependencies dependencies(subject.program, program::issue_order(subject.program, calls));
  for (OperationIndex i = 0; i < subject.trace.spans.size(); ++i) {
    const Span& span = subject.trace.spans[i];
    const bool on_device = program::ordered_in(subject.program.operations[i]).has_value();
    for (const program::Dependency& one : dependencies.of(i)) {
      if (come_at_one_time(subject, i, one.on)) continue;
      const Nanoseconds over = subject.trace.spans[one.on].end;
      if (on_device ? span.ready < over : span.host_end < over)
        return at(subject, i, "it comes too early behind " + describe(subject.program, one.on));
    }
  }
  const auto found = reconstruct::find_contradictions(subject.program, dependencies, subject.trace.spans);
  return found.empty() ? std::string() : reconstruct::contradiction_text(found, subject.trace.spans);
}

// Streams, each device's legacy default stream, events and graphs, worked out here from the program alone; of one host
// thread, whose calls are in the order of the operations.
std::string streams(const Subject& subject, Tally&) {
  const program::Program& program = subject.program;
  if (program.threads.size() > 1) return {};
  const std::vector<Span>& spans = subject.trace.spans;
  std::vector<Nanoseconds> stream_end(program.streams.size(), 0), launch_end(spans.size(), 0),
      graph_end(program.graphs.size(), 0), blocking_ends(program::device_count(program), 0);
  const auto device_of = [&](StreamId stream) { return program.streams[stream.value].device; };
  std::map<std::uint32_t, Nanoseconds> recorded;
  for (OperationIndex i = 0; i < spans.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    if (operation.launch != kNoOperation) {
      const auto& graph =
          program.graphs[std::get<program::op::Launch>(program.operations[operation.launch].work).graph.value];
      const OperationIndex first = operation.launch + 1;
      for (const std::uint32_t before : graph.nodes[i - first].after) {
        if (spans[i].start < spans[first + before].end)
          return at(subject, i, "a node of its graph that comes before it is not over");
      }
      if (spans[i].start < spans[operation.launch].start) return at(subject, i, "its graph is not launched");
      if (const auto* external = std::get_if<program::op::Record>(&operation.work))
        recorded[external->event.value] = spans[i].end;
      const program::Operation& launch = program.operations[operation.launch];
      auto& end = stream_end[launch.stream->value];
      end = std::max(end, spans[i].end);
      graph_end[std::get<program::op::Launch>(launch.work).graph.value] =
          std::max(graph_end[std::get<program::op::Launch>(launch.work).graph.value], spans[i].end);
      Nanoseconds& blocking_end = blocking_ends[device_of(*launch.stream).value];
      if (!program.streams[launch.stream->value].nonblocking) blocking_end = std::max(blocking_end, end);
      continue;
    }
    if (const auto* sync = std::get_if<program::op::SyncDevice>(&operation.work); sync != nullptr) {
      for (std::uint32_t stream = 0; stream < program.streams.size(); ++stream) {
        if (device_of({stream}) == sync->device && spans[i].host_end < stream_end[stream])
          return at(subject, i, "it returns before the device is done");
      }
    }
    if (const auto* sync = std::get_if<program::op::SyncStream>(&operation.work);
        sync != nullptr &&
        spans[i].host_end < (program::is_legacy(program, sync->stream) ? blocking_ends[device_of(sync->stream).value]
                                                                       : stream_end[sync->stream.value]))
      return at(subject, i, "it returns before its stream is done");
    if (const auto* sync = std::get_if<program::op::SyncEvent>(&operation.work);
        sync != nullptr && recorded.contains(sync->event.value) && spans[i].host_end < recorded[sync->event.value])
      return at(subject, i, "it returns before its event is done");
    const auto stream = program::ordered_in(operation);
    if (!stream) continue;
    const bool blocking = !program.streams[stream->value].nonblocking;
    Nanoseconds& blocking_end = blocking_ends[device_of(*stream).value];
    const StreamId legacy = program::legacy_streams(program)[device_of(*stream).value].value_or(*stream);
    if (spans[i].start < stream_end[stream->value]) return at(subject, i, "the stream's last operation is not over");
    if (program::is_legacy(program, *stream) && spans[i].start < blocking_end)
      return at(subject, i, "a blocking stream is not done");
    if (blocking && spans[i].start < stream_end[legacy.value])
      return at(subject, i, "the legacy default stream is not done");
    if (const auto* wait = std::get_if<program::op::Wait>(&operation.work);
        wait != nullptr && recorded.contains(wait->event.value) && spans[i].end < recorded[wait->event.value])
      return at(subject, i, "its event is not done");
    if (const auto* launch = std::get_if<program::op::Launch>(&operation.work);
        launch != nullptr && spans[i].start < graph_end[launch->graph.value])
      return at(subject, i, "the graph's launch before is not over");
    stream_end[stream->value] = std::max(stream_end[stream->value], spans[i].end);
    if (blocking) blocking_end = std::max(blocking_end, spans[i].end);
    if (const auto* record = std::get_if<program::op::Record>(&operation.work))
      recorded[record->event.value] = spans[i].end;
  }
  return {};
}

// Of each device, one thing at a time on each copy engine and the thread of host functions, and no more kernels than
// there may be.
std::string engines(const Subject& subject, Tally&) {
  std::map<std::pair<std::uint32_t, Engine>, std::vector<const Span*>> one_by_one;
  std::map<std::uint32_t, std::vector<const Span*>> kernels_of;
  for (const Span& span : subject.trace.spans) {
    const program::Work& work = subject.program.operations[span.operation].work;
    if (span.kind == OperationKind::kernel) kernels_of[span.device].push_back(&span);
    if (span.kind == OperationKind::hostfn) one_by_one[{span.device, Engine::host}].push_back(&span);
    if (span.kind != OperationKind::h2d && span.kind != OperationKind::d2h) continue;
    // Small copies travel with the commands, beside others, if the host could write them.
    if (model::goes_with_commands(subject.profile, subject.program, work, true)) continue;
    one_by_one[{span.device, subject.profile.copies.engines == 1 ? Engine::h2d : span.engine}].push_back(&span);
  }
  const auto by_start = [](const Span* a, const Span* b) {
    return std::pair(a->start, a->end) < std::pair(b->start, b->end);
  };
  for (auto& [engine, spans] : one_by_one) {
    std::sort(spans.begin(), spans.end(), by_start);
    for (std::size_t i = 1; i < spans.size(); ++i) {
      if (spans[i]->start < spans[i - 1]->end)
        return at(subject, spans[i]->operation,
                  fmt::format("{} does {} at the same time", name(engine.second),
                              describe(subject.program, spans[i - 1]->operation)));
    }
  }
  for (auto& [device, kernels] : kernels_of) {
    std::sort(kernels.begin(), kernels.end(), by_start);
    std::priority_queue<Nanoseconds, std::vector<Nanoseconds>, std::greater<>> running;
    for (const Span* kernel : kernels) {
      while (!running.empty() && running.top() <= kernel->start) running.pop();
      running.push(kernel->end);
      if (running.size() > subject.profile.compute.kernels)
        return at(subject, kernel->operation, "more kernels run at once than may");
    }
  }
  return {};
}

std::string once_more(const Subject& subject, Tally&) {
  if (const std::string other = difference(subject.program, subject.trace.spans, subject.logged.pass.spans);
      !other.empty())
    return "a second run differs: " + other;
  if (subject.wall != subject.logged.pass.wall || subject.answers.polls != subject.logged.pass.answers.polls)
    return "a second run has other answers or another wall time";
  const auto bare = subject.loaded->run(device::Instrument::bare, {});
  if (!bare || bare->wall != subject.wall || !bare->spans.empty()) return "a bare run is another one";
  const auto calls = subject.loaded->run(device::Instrument::calls, {});
  if (!calls || calls->spans.size() != subject.trace.spans.size()) return "a run that sees calls only is another one";
  for (OperationIndex i = 0; i < calls->spans.size(); ++i) {
    const Span &seen = calls->spans[i], &full = subject.trace.spans[i];
    const bool called = full.launch == kNoOperation;
    if (known(seen.ready) || known(seen.start) || known(seen.end) || seen.polls != full.polls ||
        seen.host_begin != (called ? full.host_begin : kAbsent) || seen.host_end != (called ? full.host_end : kAbsent))
      return at(subject, i, "it is another call where only calls are seen");
  }
  return {};
}

std::string sent_once(const Subject& subject, Tally&) {
  std::vector<bool> sent(subject.trace.spans.size(), false);
  std::string wrong;
  device::RunControl control;
  control.on_spans = [&](std::span<const Span> spans) {
    for (const Span& span : spans) {
      if (sent[span.operation]) wrong = at(subject, span.operation, "it is sent twice");
      if (!(span == subject.trace.spans[span.operation]))
        wrong = at(subject, span.operation, "it is sent before it is final");
      sent[span.operation] = true;
    }
  };
  if (!subject.loaded->run(device::Instrument::full, control)) return "a second run fails";
  if (const auto left = std::find(sent.begin(), sent.end(), false); wrong.empty() && left != sent.end())
    wrong = at(subject, static_cast<OperationIndex>(left - sent.begin()), "it is not sent");
  return wrong;
}

std::string alone(const Subject& subject, Tally&) {
  const auto chooses = [](const program::Operation& one) {
    return std::holds_alternative<program::op::SetDevice>(one.work);
  };
  if (subject.program.threads.size() > 1 && std::ranges::any_of(subject.program.operations, chooses)) return {};
  const auto serial = program::in_one_stream(subject.program);
  if (!serial) return "there is no such program in one stream";
  const auto pass = run_of(subject.profile, *serial);
  // One after the other it may take longer than the model's clock goes.
  if (!pass && pass.error().message.find("three years") != std::string::npos) return {};
  if (!pass) return "in one stream: " + pass.error().message;
  const auto work_of = [](const std::vector<Span>& spans) {
    std::vector<Span> work;
    std::copy_if(spans.begin(), spans.end(), std::back_inserter(work), trace::device_work);
    std::sort(work.begin(), work.end(),
              [](const Span& a, const Span& b) { return std::pair(a.start, a.end) < std::pair(b.start, b.end); });
    return work;
  };
  const std::vector<Span> work = work_of(pass->spans);
  if (work.size() != work_of(subject.trace.spans).size()) return "in one stream there is other work";
  for (std::size_t i = 1; i < work.size(); ++i) {
    if (work[i].start < work[i - 1].end)
      return fmt::format("in one stream line {} starts before line {} is over", work[i].line, work[i - 1].line);
  }
  return {};
}

constexpr Property kOfRuns[] = {
    {"whole", "each operation has its times, in order, and each thread one call after the other", whole},
    {"order", "nothing comes before what CUDA's order puts before it", ordered},
    {"streams", "nor by the rules of streams, events and graphs as this test knows them", streams},
    {"engines", "an engine does one thing at a time", engines},
    {"again", "a second run, a bare one and one that sees calls only are the same", once_more},
    {"sent", "each span is sent once, as it is in the end", sent_once},
    {"alone", "in one stream nothing runs beside anything", alone},
};

}  // namespace

std::span<const Property> run_properties() { return kOfRuns; }

}  // namespace streamscope::generated
