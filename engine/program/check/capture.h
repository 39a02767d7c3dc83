// The body of a graph, captured statement by statement: which streams have joined, what comes after what, and whether
// every forked stream is joined back (docs/cuda-rules.md 19).
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/program/check/diagnostics.h"
#include "engine/program/program.h"

namespace streamscope::program {

class Capture {
 public:
  // Without `origin`, after an error, the rules about forked streams are not checked.
  Capture(Diagnostics& diagnostics, const Program& program, std::string name, SourceLocation location,
          std::optional<StreamId> origin, CaptureMode mode);

  // The next operation of the body; its location is that of its stream's name, or of what the host asks.
  void add(Operation operation, SourceLocation location);
  // A statement of the body had an error: what is missing at the end is not reported then.
  void mark_incomplete() { complete_ = false; }

  // Where in the body the event was recorded last, but externally; kNoOperation for nowhere.
  OperationIndex record_of(EventId event) const;
  bool records_externally(EventId event) const { return external_records_.contains(event.value); }
  bool waits_externally(EventId event) const { return external_waits_.contains(event.value); }
  const std::string& name() const { return graph_.name; }

  struct Finished {
    Graph graph;
    std::vector<StreamId> streams;              // that were captured, the origin first
    std::vector<std::uint32_t> stream_of_node;  // an index into `streams`
    std::uint64_t edges = 0;                    // those from the launch too
  };
  Finished finish();

 private:
  // The nodes that the next operation comes after: at most one of each captured stream, whose nodes are a chain.
  using Frontier = std::vector<std::uint32_t>;
  using Shared = std::shared_ptr<Frontier>;
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  struct Lane {
    Shared frontier;
    std::uint32_t tail = kNone;  // its last operation but records, an index into the body
    SourceLocation location;     // of it
  };
  struct Recorded {
    OperationIndex record = kNoOperation;
    Shared frontier;
    std::uint32_t tail = kNone;
  };

  std::optional<std::uint32_t> lane_of(const Operation& operation, SourceLocation location);
  void wait(Lane& lane, const Recorded& recorded);
  void node(std::uint32_t lane, std::uint32_t body, SourceLocation location);
  void check_joined();

  Diagnostics& diagnostics_;
  const Program& program_;
  SourceLocation location_;
  std::optional<StreamId> origin_;
  bool complete_ = true, too_many_ = false;
  Graph graph_;
  std::vector<Lane> lanes_;
  std::vector<StreamId> streams_;  // of each lane
  std::unordered_map<std::uint32_t, std::uint32_t> lane_by_stream_;
  std::unordered_map<std::uint32_t, Recorded> events_;
  std::unordered_set<std::uint32_t> external_records_, external_waits_;  // events
  std::vector<std::uint32_t> lane_of_node_;
  // Of each operation of the body, those right before it: in its stream, and of a wait through its event.
  struct Before {
    std::uint32_t in_stream = kNone, through_event = kNone;
  };
  std::vector<Before> before_;
  std::vector<std::uint32_t> slot_;  // of each lane, for joining two frontiers
  std::uint64_t steps_ = 0, edges_ = 0;
};

}  // namespace streamscope::program
