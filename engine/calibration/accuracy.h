// How close predicted wall times are to measured ones, and whether they rank programs alike.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/stop_flag.h"
#include "engine/calibration/recorded.h"
#include "engine/device/model/profile/profile.h"

namespace streamscope::calibration {

// Both more than 0.
struct WallPrediction {
  std::string name, family;
  Nanoseconds measured = 0, predicted = 0;
  bool large_pinned_copy = false;  // the program is one pinned copy of 1 MiB or more, and nothing else

  double error() const {  // 0.05: five per cent too long
    return (static_cast<double>(predicted) - static_cast<double>(measured)) / static_cast<double>(measured);
  }
};

// Predicts every recorded program, on a host as fast as the one that it was timed on, where that is known. Errors:
// bad_input (a recording without programs; a program that is wrong or that the profile's device cannot run, by name),
// cancelled.
Result<std::vector<WallPrediction>> predict(const model::Profile& profile, const Recording& recording,
                                            const StopFlag& stop = {});
// And on the profile's own host.
Recording without_pace(Recording recording);
// Of all programs whose host's pace is known, the quartiles of how much slower than the profile's it was.
struct Pace {
  double low = 1, median = 1, high = 1;
  std::size_t known = 0;  // programs
};
Result<Pace> pace(const model::Profile& profile, const Recording& recording);

// The times of a second recording as if they were predictions of the first: how far a GPU agrees with itself. Of the
// programs that both hold with the same text.
std::vector<WallPrediction> between(const Recording& first, const Recording& second);

// The same with the second host at the pace of the first, as far as the model says what that changes. Errors: as of
// predict().
Result<std::vector<WallPrediction>> between_at_one_pace(const model::Profile& profile, const Recording& first,
                                                        const Recording& second);
// Predictions at that pace of the host, program by program, that comes closest: how far off they would still be if the
// pace were known perfectly. Errors: as of predict().
Result<std::vector<WallPrediction>> predict_at_best_pace(const model::Profile& profile, const Recording& recording);

// Of relative errors without their sign; `bias` is their mean with it. All 0 of no programs.
struct Errors {
  std::size_t programs = 0;
  double mean = 0, median = 0;
  double percentile_95 = 0;  // the smallest that 95 % of the programs do not exceed
  double worst = 0;
  double bias = 0;
};
Errors errors(std::span<const WallPrediction> predictions);

// Of all pairs of programs whose measured times differ by over 5 % of the shorter one: in how many the predictions
// differ the same way. Equal predictions do not.
struct OrderAgreement {
  std::uint64_t pairs = 0, alike = 0;
  double share() const { return pairs == 0 ? 1 : static_cast<double>(alike) / static_cast<double>(pairs); }
};
OrderAgreement order_agreement(std::span<const WallPrediction> predictions);

struct Accuracy {
  Errors all;
  Errors large_pinned_copies;
  struct Family {
    std::string name;
    Errors errors;
  };
  std::vector<Family> families;  // in the order in which they first come
  OrderAgreement order;
  std::vector<std::size_t> worst;  // all of them, by error without its sign, the largest first
};
Accuracy accuracy(std::span<const WallPrediction> predictions);

}  // namespace streamscope::calibration
