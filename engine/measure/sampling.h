// Equivalent-time sampling: many runs of one program, of which each saw the ends of another share of the operations,
// become one set of readings. Pure: plain values in and out.
//
// How readings are merged. A reading that every pass has (host calls, kernel stamps) becomes its median on the common
// begin, the run's first host call. A reading that only some passes have is first taken relative to its anchor: of the
// common begin and the stamps that every pass sees, the one nearest to it in time. What makes a whole pass longer, or
// puts its device clock a little off, then cancels out, and what is left is how the operation lies among its
// neighbours. `spread` is of the plain times on the common begin, so that it shows how far the runs differ.
//
// What is kept: of each reading kKeptReadings at most, a fair choice of all there were (reservoir sampling with a fixed
// sequence, so that the same passes give the same trace), and fewer of a program so large that they would take more
// than about 128 MiB. The memory does not grow with the number of passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/device/device.h"
#include "engine/device/observed.h"
#include "engine/program/program.h"

namespace streamscope::measure {

inline constexpr std::size_t kKeptReadings = 63;

// The share that has its turn in the pass of this number, from 0. Each `of` passes in a row see each phase once, and
// passes after one another see phases far from one another, so that a run that is cut short is seen all over.
device::Share share_of_pass(std::size_t pass, std::uint32_t of);

class Sampling {
 public:
  // At most `passes` of them will come; more only cost exactness. The program must outlive it.
  Sampling(const program::Program& program, std::size_t passes);
  void add(std::span<const device::Observed> pass);  // one an operation
  std::size_t passes() const { return passes_; }
  // One an operation. `samples` is in how many passes the end was seen, 0 where in none; `uncertainty` is that of
  // the passes.
  std::vector<device::Observed> merged() const;

 private:
  enum Reading : std::uint8_t { host_begin, host_end, start, end, end_from_anchor };
  static constexpr std::size_t kReadings = 5;
  // A stamp that every pass sees; kNoOperation: the common begin.
  struct Anchor {
    OperationIndex operation = kNoOperation;
    bool at_end = false;
    bool chosen = false;
  };
  struct Seen {
    std::uint32_t host = 0, start = 0, end = 0;  // how many passes had the reading
    trace::Source source = trace::Source::none;
    std::uint64_t polls = 0;  // of all passes
    Anchor anchor;            // of an end that is no stamp itself
  };

  void choose_anchors(std::span<const device::Observed> pass);
  Nanoseconds* kept(std::size_t operation, Reading reading) {
    return &readings_[(operation * kReadings + reading) * capacity_];
  }
  std::span<const Nanoseconds> kept(std::size_t operation, Reading reading, std::uint32_t seen) const;
  void keep(std::size_t operation, Reading reading, std::uint32_t seen, Nanoseconds value);

  const program::Program& program_;
  std::size_t capacity_, passes_ = 0;
  std::vector<Seen> seen_;
  std::vector<Nanoseconds> readings_;
  std::vector<std::uint32_t> uncertainties_;  // of the kept ends
};

}  // namespace streamscope::measure
