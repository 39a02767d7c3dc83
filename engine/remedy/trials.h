// Changes tried on the model that predicts. Internal to this room.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "engine/program/order/order.h"
#include "engine/remedy/explain.h"

namespace streamscope::remedy {

// Less than this part of the makespan is not worth naming.
inline constexpr double kLeastShare = 0.05;
inline constexpr std::size_t kMostHazards = 16;

class Trials {
 public:
  // All must outlive it. `makespan`: of the run.
  Trials(const verdict::Judgement& judgement, const std::vector<verdict::Evidence>& evidence, const Source& source,
         const Circumstances& circumstances, const Simulate& simulate, Nanoseconds makespan);

  // Tries what there is to change for the causes that have evidence. Errors: `cancelled`.
  Result<void> run();
  // Of the run's program, kMostHazards at most; none where it is not known.
  const std::vector<program::Hazard>& hazards() const { return hazards_; }
  // With the makespan that a change predicts: so many times the run's.
  Help help_of(Edit edit, double ratio) const;

  std::map<verdict::Cause, std::vector<Help>> helps;  // those that gain enough
  std::set<verdict::Cause> tried;                     // by changes that were simulated
  // What it would take less on a device without what the cause rests on.
  std::map<verdict::Cause, Nanoseconds> costs;
  bool wait_is_needed = false;  // of the host, by the data
  double doubt = 0;             // by how much the model is off on the run itself, relative

 private:
  bool multiprocessors_bind() const;
  bool fits_at_once(std::uint32_t line) const;
  Result<void> try_other_devices(const program::Program& program, Nanoseconds now);
  // At least what the run loses against that program.
  Result<void> cost_of(verdict::Cause cause, const program::Program& changed, Nanoseconds now);
  Nanoseconds host_work() const;                 // on the path
  Result<Nanoseconds> set_up_of_copies() const;  // there, of those that take longer to set up than to move
  bool behind_a_full_queue(verdict::Cause cause) const;
  bool host_memory_tells() const;

  const verdict::Judgement& judgement_;
  const std::vector<verdict::Evidence>& evidence_;
  const Source& source_;
  const Circumstances& circumstances_;
  const Simulate& simulate_;
  const Nanoseconds makespan_;
  const std::vector<program::Hazard> hazards_;
};

}  // namespace streamscope::remedy
