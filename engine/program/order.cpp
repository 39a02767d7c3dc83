#include "engine/program/order.h"

namespace streamscope {
namespace {

// Goes through the operations in issue order. Each list below is emptied when it is read, and each operation enters
// each list at most once, so the whole costs time in proportion to operations and edges, whatever the number of
// streams.
class Builder {
 public:
  Builder(const Program& program, std::vector<std::uint64_t>& first, std::vector<Dependency>& edges)
      : program_(program), first_(first), edges_(edges), streams_(program.streams.size()) {}

  void build() {
    first_.reserve(program_.operations.size() + 1);
    for (const Operation& operation : program_.operations) {
      first_.push_back(edges_.size());
      add(operation);
      ++index_;
    }
    first_.push_back(edges_.size());
  }

 private:
  struct StreamState {
    OperationIndex last = kNoOperation;
    OperationIndex awaited = kNoOperation;  // the host has waited for this one and so for all before it
    // listed in the lists of the same names
    bool since_legacy = false, since_legacy_wait = false, since_device = false;
  };

  void add(const Operation& operation) {
    if (const auto stream = ordered_in(operation)) {
      in_stream(*stream);
      if (const auto* wait = std::get_if<op::Wait>(&operation.work))
        event(wait->record, DependencyKind::event, *stream);
      issued(*stream);
      const auto* copy = std::get_if<op::BlockingCopy>(&operation.work);
      if (copy && !returns_after_staging(program_, *copy)) streams_[kLegacyStream.value].awaited = index_;
      return;
    }
    std::visit(
        [&](const auto& work) {
          using T = std::decay_t<decltype(work)>;
          if constexpr (std::is_same_v<T, op::SyncDevice>) {
            for (const std::uint32_t stream : since_device_) {
              host_waits_for(stream);
              streams_[stream].since_device = false;
            }
            since_device_.clear();
          } else if constexpr (std::is_same_v<T, op::SyncStream> || std::is_same_v<T, op::PollStream>) {
            if (work.stream == kLegacyStream) {
              for (const std::uint32_t stream : since_legacy_wait_) {
                host_waits_for(stream);
                streams_[stream].since_legacy_wait = false;
              }
              since_legacy_wait_.clear();
            }
            host_waits_for(work.stream.value);
          } else if constexpr (std::is_same_v<T, op::SyncEvent> || std::is_same_v<T, op::PollEvent>) {
            if (work.record != kNoOperation) edge(work.record, DependencyKind::host);
          }
        },
        operation.work);
  }

  bool blocking(StreamId stream) const { return !program_.streams[stream.value].nonblocking; }

  // Its predecessor in the stream, and the legacy stream's barrier in either direction.
  void in_stream(StreamId stream) {
    const StreamState& state = streams_[stream.value];
    if (state.last != kNoOperation) edge(state.last, DependencyKind::stream);
    if (stream == kLegacyStream) {
      for (const std::uint32_t other : since_legacy_) {
        edge(streams_[other].last, DependencyKind::legacy);
        streams_[other].since_legacy = false;
      }
      since_legacy_.clear();
    } else if (blocking(stream)) {
      // Where the stream has work since the last legacy operation, that work waited for it already.
      const OperationIndex legacy = streams_[kLegacyStream.value].last;
      if (legacy != kNoOperation && (state.last == kNoOperation || state.last < legacy)) {
        edge(legacy, DependencyKind::legacy);
      }
    }
  }

  void event(OperationIndex record, DependencyKind kind, StreamId waiter) {
    if (record == kNoOperation || program_.operations[record].stream == waiter) return;  // stream order says it already
    edge(record, kind);
  }

  void issued(StreamId stream) {
    StreamState& state = streams_[stream.value];
    state.last = index_;
    if (stream != kLegacyStream && blocking(stream)) {
      list(stream, state.since_legacy, since_legacy_);
      list(stream, state.since_legacy_wait, since_legacy_wait_);
    }
    list(stream, state.since_device, since_device_);
  }

  static void list(StreamId stream, bool& listed, std::vector<std::uint32_t>& all) {
    if (listed) return;
    listed = true;
    all.push_back(stream.value);
  }

  void host_waits_for(std::uint32_t stream) {
    StreamState& state = streams_[stream];
    if (state.last == kNoOperation || state.awaited == state.last) return;
    edge(state.last, DependencyKind::host);
    state.awaited = state.last;
  }

  void edge(OperationIndex on, DependencyKind kind) { edges_.push_back({on, kind}); }

  const Program& program_;
  std::vector<std::uint64_t>& first_;
  std::vector<Dependency>& edges_;
  std::vector<StreamState> streams_;
  std::vector<std::uint32_t> since_legacy_;       // blocking streams with work since the last legacy operation
  std::vector<std::uint32_t> since_legacy_wait_;  // and since the host last waited for the legacy stream
  std::vector<std::uint32_t> since_device_;       // streams with work since the host last waited for the device
  OperationIndex index_ = 0;
};

}  // namespace

bool returns_after_staging(const Program& program, const op::BlockingCopy& copy) {
  return copy.direction == Direction::h2d && program.buffers[copy.range.buffer.value].host == HostMemory::pageable;
}

Dependencies::Dependencies(const Program& program, std::span<const OperationIndex>) {
  Builder(program, first_, edges_).build();
}

}  // namespace streamscope
