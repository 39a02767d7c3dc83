// The block scheduler: which blocks of which kernel run on which multiprocessor (cuda-rules 13 to 15).
//
// Kernels queue by priority, then by when they became ready. So many run at once, and one starts no sooner than the
// launch gap after the one before. The head hands out its blocks wherever they fit, to the
// emptiest multiprocessors first; the next kernel gets room only when the head has handed out all of its own. Nothing
// is preempted. Blocks that start together end together and are kept as one batch.
//
// Kernels that do arithmetic and move memory share the device's rates: where they ask for more than there is, all of
// them slow down alike. That one common speed makes a clock of its own, on which each batch's end is fixed.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "engine/device/model/engine_queue.h"
#include "engine/device/model/kernel_time.h"
#include "engine/device/model/room.h"

namespace streamscope {

class Multiprocessors {
 public:
  explicit Multiprocessors(const Profile& profile);

  // `priority`: lower goes first. A block must fit on an empty multiprocessor.
  void add(OperationIndex operation, const Grid& grid, int priority, Nanoseconds ready);
  // Hands out blocks; tells which kernels got their first.
  void hand_out(Nanoseconds now, std::vector<Started>& started);
  // The next end of blocks if nothing changes; kNever where none run.
  Nanoseconds next() const;
  // Ends what ends by now; tells which kernels are done with their last block.
  void advance(Nanoseconds now, std::vector<OperationIndex>& ended);

 private:
  using Virtual = __int128;  // nanoseconds of the common clock, in units of 1 / kFullSpeed
  static constexpr std::int64_t kFullSpeed = std::int64_t{1} << 32;

  struct Kernel {
    OperationIndex operation;
    Grid grid;
    Nanoseconds ready;
    std::uint64_t blocks_left;  // to hand out
    std::uint32_t batches;      // running
    bool started;
  };
  struct Batch {
    std::uint32_t kernel;
    Room::Placed blocks;
    BatchTime time;
  };
  struct Queued {
    int priority;
    Nanoseconds ready;
    OperationIndex operation;
    std::uint32_t kernel;
    friend auto operator<=>(const Queued&, const Queued&) = default;
  };
  template <class Time>
  struct End {
    Time at;
    std::uint32_t batch;
    friend auto operator<=>(const End&, const End&) = default;
  };
  template <class T>
  using Earliest = std::priority_queue<T, std::vector<T>, std::greater<>>;

  std::uint64_t place(std::uint32_t kernel, Nanoseconds now);
  void end_batch(std::uint32_t batch, Nanoseconds now, std::vector<OperationIndex>& ended);
  void catch_up(Nanoseconds now);
  void set_speed();

  const Profile& profile_;
  Room room_;

  std::vector<Kernel> kernels_;
  std::vector<Batch> batches_;
  std::vector<std::uint32_t> kernels_unused_, batches_unused_;
  Earliest<Queued> queue_;
  bool changed_ = false;           // room or kernels since blocks were last handed out
  std::uint32_t running_ = 0;      // kernels
  Nanoseconds next_launch_ = 0;    // when the next kernel may get its first block
  bool waits_for_launch_ = false;  // and one waits for that

  Earliest<End<Nanoseconds>> fixed_ends_;
  Earliest<End<Virtual>> shared_ends_;
  Virtual virtual_now_ = 0;
  Nanoseconds since_ = 0;  // when virtual_now_ was right
  std::int64_t speed_ = kFullSpeed;
  std::int64_t arithmetic_ = 0, memory_ = 0;  // sums of the running batches' shares

  OperationIndex last_started_ = kNoOperation, last_freed_ = kNoOperation;
  Nanoseconds freed_at_ = kAbsent;
};

}  // namespace streamscope
