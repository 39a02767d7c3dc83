// The points of a sweep while they are run, on one engine or on several: which is next, and what came of each.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>

#include "engine/base/result.h"
#include "engine/sweep/combinations.h"
#include "engine/sweep/sweep.h"

namespace streamscope::sweep {

class Points {
 public:
  // Both stay the caller's, and outlive this. The sweep's points are made here, one for each combination.
  Points(const Combinations& combinations, Sweep& sweep);

  // One that is to be run and that nobody has, now the caller's; nothing: there is none just now. In the sweep's order,
  // but those that were given back come last: one that ends each engine it is run on then costs no other point.
  std::optional<std::size_t> take();
  void give_back(std::size_t taken);  // it was not run to its end
  void keep(std::size_t taken, Result<SweepResult> result);
  std::size_t left() const { return left_; }  // those to be run that have nothing kept yet, taken ones too

  // Once nothing more is run; `ended` says why where something is left, and what is left says so. Fills in the points
  // that repeat another one, and what the results say together: notes and provenance.
  void finish(const std::optional<Error>& ended);

 private:
  const Combinations& combinations_;
  Sweep& sweep_;
  std::deque<std::size_t> waiting_;
  std::size_t left_ = 0;
};

}  // namespace streamscope::sweep
