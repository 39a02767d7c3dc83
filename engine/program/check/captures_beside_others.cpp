// What other host threads may do while one of them captures a graph (docs/cuda-rules.md 19).
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/translate.h"
#include "engine/program/check/expansion.h"

namespace streamscope::program {
namespace {

// That its call gives work to, waits for, asks or destroys.
std::optional<StreamId> stream_of(const Operation& operation) {
  if (const auto stream = ordered_in(operation)) return stream;

  if (const auto* sync = std::get_if<op::SyncStream>(&operation.work)) return sync->stream;
  if (const auto* poll = std::get_if<op::PollStream>(&operation.work)) return poll->stream;
  if (const auto* asks = std::get_if<op::Attributes>(&operation.work)) return asks->stream;
  if (const auto* gone = std::get_if<op::DestroyStream>(&operation.work)) return gone->gone;
  return std::nullopt;
}

constexpr std::uint64_t kMostPairs = 50'000'000;  // captures beside calls: well under a second

class Conflicts {
 public:
  explicit Conflicts(Expansion& expansion)
      : expansion_(expansion),
        program_(expansion.program),
        of_thread_(program_.threads.size()),
        streams_(program_.graphs.size()),
        events_(program_.graphs.size()) {}

  void find() {
    for (OperationIndex i = 0; i < program_.operations.size(); ++i) {
      const Operation& operation = program_.operations[i];
      if (operation.launch != kNoOperation) continue;
      if (const auto* join = std::get_if<op::JoinThread>(&operation.work)) {
        order_.join(join->thread);
        std::erase_if(begun_, [&](OperationIndex begin) { return program_.operations[begin].thread == join->thread; });
      }
      if (begins(i)) note(std::get<op::Capture>(operation.work).graph);
      steps_ += begun_.size();
      for (const OperationIndex begin : begun_) {
        if (unordered(program_.operations[begin].thread, operation.thread)) look_at(begin, i);
      }
      if (steps_ > kMostPairs) return too_many(operation);
      of_thread_[operation.thread.value].push_back(i);
      if (begins(i)) {
        for (std::uint32_t thread = 0; thread < of_thread_.size(); ++thread) {
          if (!unordered(ThreadId{thread}, operation.thread)) continue;
          for (const OperationIndex other : of_thread_[thread]) {
            if (!begins(other)) look_at(i, other);  // of two captures, at the later one
          }
        }
        if (operation.thread != ThreadId{0})
          begun_.push_back(i);  // what the main thread did comes before what it starts
        if (steps_ > kMostPairs) return too_many(operation);
      }
    }
  }

 private:
  // The streams that the graph captures and the events that become its edges, in order.
  void note(GraphId graph) {
    std::vector<StreamId>& all = streams_[graph.value];
    std::vector<EventId>& edges = events_[graph.value];
    all.push_back(program_.graphs[graph.value].origin);
    for (const Operation& one : program_.graphs[graph.value].body) {
      if (one.stream) all.push_back(*one.stream);
      const auto* const record = std::get_if<op::Record>(&one.work);
      if (record != nullptr && !becomes_node(one.work)) edges.push_back(record->event);
    }
    std::ranges::sort(all, {}, &StreamId::value);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::ranges::sort(edges, {}, &EventId::value);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  }
  bool captures(GraphId graph, StreamId stream) const {
    return std::ranges::binary_search(streams_[graph.value], stream.value, {}, &StreamId::value);
  }
  // Whether the legacy default stream would wait for one of its streams.
  bool captures_blocking(GraphId graph) const {
    return std::ranges::any_of(streams_[graph.value],
                               [&](StreamId stream) { return !program_.streams[stream.value].nonblocking; });
  }

  bool begins(OperationIndex index) const {
    const auto* const step = std::get_if<op::Capture>(&program_.operations[index].work);
    return step != nullptr && step->step == CaptureStep::begin;
  }
  bool unordered(ThreadId earlier, ThreadId later) const { return earlier != later && !order_.before(earlier, later); }

  void look_at(OperationIndex begin, OperationIndex other) {
    const Operation &capture = program_.operations[begin], &call = program_.operations[other];
    const GraphId id = std::get<op::Capture>(capture.work).graph;
    const Graph& graph = program_.graphs[id.value];
    ++steps_;
    const auto stream = common_stream(id, call);
    if (stream && captures(id, *stream)) {
      if (!reported_.emplace(capture.line, call.line).second) return;
      return expansion_.diagnostics.error(
          {call.line, 1},
          tr("'{}' is captured by {} (line {}), and nothing orders that and this line: what it is given "
             "meanwhile would be captured, and nobody may wait for it or ask; use another stream, or "
             "write a `host: join` between them",
             program_.streams[stream->value].name, who(capture.thread), capture.line));
    }
    if (const auto event = common_event(id, call)) {
      if (!reported_.emplace(capture.line, call.line).second) return;
      return expansion_.diagnostics.error(
          {call.line, 1}, tr("'{}' is recorded by the capture of {} (line {}), too, and nothing orders the two: a wait "
                             "may take the other's record; use an event each, or write a `host: join` between them",
                             program_.events[event->value].name, who(capture.thread), capture.line));
    }
    const DeviceId device = program_.streams[graph.origin.value].device;
    const auto* const sync = std::get_if<op::SyncDevice>(&call.work);
    const auto* const asks = std::get_if<op::CaptureInfo>(&call.work);
    const std::optional<StreamId> legacy = asks != nullptr ? std::optional(asks->stream) : stream;
    const bool is_legacy = legacy && program::is_legacy(program_, *legacy) &&
                           program_.streams[legacy->value].device == device && captures_blocking(id);
    if (is_legacy || (sync != nullptr && sync->device == device)) {
      if (!reported_.emplace(capture.line, call.line).second) return;
      return expansion_.diagnostics.error(
          {call.line, 1},
          is_legacy ? tr("this is work of the legacy default stream or asks it, and {} captures a blocking stream "
                         "(line {}), with "
                         "nothing that orders the two: CUDA refuses it meanwhile (cudaErrorStreamCaptureImplicit); "
                         "write `nonblocking` behind the stream, or a `host: join` between them",
                         who(capture.thread), capture.line)
                    : tr("the device cannot be waited for while {} captures a stream of it (line {}), and nothing "
                         "orders the two (cudaErrorStreamCaptureUnsupported); wait for a stream or an event, or write "
                         "a `host: join` between them",
                         who(capture.thread), capture.line));
    }
    if (graph.mode == CaptureMode::global && kind(call.work) == OperationKind::malloc) {
      if (!reported_.emplace(capture.line, call.line).second) return;
      return expansion_.diagnostics.error(
          {call.line, 1},
          tr("this may come while {} captures '{}' (line {}) with mode=global, and there would be no memory then "
             "(cudaErrorStreamCaptureUnsupported); write mode=thread-local, or a `host: join` between them",
             who(capture.thread), graph.name, capture.line));
    }
    if (graph.mode != CaptureMode::global || !is_unsafe_in_capture(call.work)) return;
    program_.breaks_capture = std::min(program_.breaks_capture, other);
    if (!reported_.emplace(capture.line, call.line).second) return;
    expansion_.diagnostics.warning(
        {call.line, 1}, tr("this may come while {} captures '{}' (line {}) with mode=global: then it returns "
                           "cudaErrorStreamCaptureUnsupported, and the capture is invalid; write mode=thread-local, or "
                           "a `host: join` between "
                           "them",
                           who(capture.thread), graph.name, capture.line));
  }

  // Of another capture a stream that both capture, if there is any.
  std::optional<StreamId> common_stream(GraphId graph, const Operation& call) {
    const auto* const step = std::get_if<op::Capture>(&call.work);
    if (step == nullptr || step->step != CaptureStep::begin) return stream_of(call);
    const std::vector<StreamId>& others = streams_[step->graph.value];
    steps_ += others.size();
    const auto common = std::ranges::find_if(others, [&](StreamId one) { return captures(graph, one); });
    return common == others.end() ? std::nullopt : std::optional(*common);
  }

  // Of another capture an event that both record, if there is any.
  std::optional<EventId> common_event(GraphId graph, const Operation& call) {
    const auto* const step = std::get_if<op::Capture>(&call.work);
    if (step == nullptr || step->step != CaptureStep::begin) return std::nullopt;
    const std::vector<EventId>& others = events_[step->graph.value];
    steps_ += others.size();
    const auto common = std::ranges::find_if(others, [&](EventId one) {
      return std::ranges::binary_search(events_[graph.value], one.value, {}, &EventId::value);
    });
    return common == others.end() ? std::nullopt : std::optional(*common);
  }

  void too_many(const Operation& operation) {
    expansion_.diagnostics.error({operation.line, 1},
                                 tr("by this line there are too many calls beside captures of other threads to look "
                                    "at; capture before the first `thread`, or write `host: join`"));
  }

  std::string who(ThreadId thread) const {
    return thread == ThreadId{0} ? std::string(tr("the main thread"))
                                 : tr("thread {}", program_.threads[thread.value].name);
  }

  Expansion& expansion_;
  Program& program_;
  HostOrder order_;
  std::vector<std::vector<OperationIndex>> of_thread_;
  std::vector<std::vector<StreamId>> streams_;  // by graph, of those whose capture has begun
  std::vector<std::vector<EventId>> events_;    // likewise
  std::uint64_t steps_ = 0;
  std::vector<OperationIndex> begun_;                           // captures
  std::set<std::pair<std::uint32_t, std::uint32_t>> reported_;  // lines
};

}  // namespace

void check_captures_beside_others(Expansion& expansion) {
  const Program& program = expansion.program;
  const bool captures = std::ranges::any_of(program.graphs, &Graph::captured_in_run);
  if (captures && program.threads.size() > 1) Conflicts(expansion).find();
}

}  // namespace streamscope::program
