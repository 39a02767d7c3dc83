#include "engine/calibration/fit.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <thread>
#include <vector>

#include "engine/base/time.h"
#include "engine/device/model/predict.h"
#include "engine/device/model/profile_numbers.h"

namespace streamscope {
namespace {

// A number that can be moved: a single one, or one point of a table.
struct Knob {
  std::size_t number = 0;
  std::optional<std::size_t> point;
  double step = 0.2;               // relative
  std::vector<std::size_t> moves;  // samples that depend on it
};

bool can_move(NumberKind kind) {
  return kind == NumberKind::time || kind == NumberKind::rate || kind == NumberKind::share || kind == NumberKind::times;
}

double value(const Profile& profile, const Knob& knob) {
  const ProfileNumber& number = profile_numbers()[knob.number];
  return knob.point ? static_cast<double>(number.table(profile).points[*knob.point].time) : number.get(profile);
}

// False where the value would be out of bounds, or the table no longer rise.
bool set(Profile& profile, const Knob& knob, double to) {
  const ProfileNumber& number = profile_numbers()[knob.number];
  to = std::round(to);
  if (!knob.point) {
    if (to < number.least || to > number.most) return false;
    number.set(profile, to);
    return true;
  }
  auto& points = number.mutable_table(profile).points;
  const std::size_t at = *knob.point;
  const auto time = static_cast<Nanoseconds>(to);
  if (time < 0 || time > kLongestTime || (at > 0 && time < points[at - 1].time) ||
      (at + 1 < points.size() && time > points[at + 1].time)) {
    return false;
  }
  points[at].time = time;
  return true;
}

class Fit {
 public:
  Fit(const Profile& start, std::span<const FitSample> samples, std::stop_token stop)
      : profile_(start), samples_(samples), stop_(std::move(stop)) {
    for (std::size_t i = 0; i < samples.size(); ++i) all_.push_back(i);
  }

  Result<void> begin() {
    costs_.resize(samples_.size());
    return costs(profile_, all_, costs_);
  }

  // Which samples depend on what.
  Result<void> find_knobs(const FitProgress& progress, int total) {
    std::vector<Knob> candidates;
    for (std::size_t n = 0; n < profile_numbers().size(); ++n) {
      const ProfileNumber& number = profile_numbers()[n];
      if (!can_move(number.kind)) continue;
      if (number.kind != NumberKind::times) {
        candidates.push_back({n, std::nullopt, 0.2, {}});
      } else {
        for (std::size_t p = 0; p < number.table(profile_).points.size(); ++p) candidates.push_back({n, p, 0.2, {}});
      }
    }
    std::vector<double> moved(samples_.size());
    for (Knob& knob : candidates) {
      Profile other = profile_;
      // Up, or down where a neighbour is in the way.
      if (!set(other, knob, value(profile_, knob) * 1.3 + 300) && !set(other, knob, value(profile_, knob) * 0.7)) {
        continue;
      }
      if (auto done = costs(other, all_, moved); !done) return done;
      for (std::size_t i = 0; i < moved.size(); ++i) {
        if (moved[i] != costs_[i]) knob.moves.push_back(i);
      }
      if (!knob.moves.empty()) knobs_.push_back(std::move(knob));
      if (progress) progress(0, total, error());
    }
    return {};
  }

  // Tries each knob once; true where any moved.
  Result<bool> round() {
    bool any = false;
    for (Knob& knob : knobs_) {
      const auto moved = turn(knob);
      if (!moved) return fail(moved.error());
      any = *moved || any;
    }
    return any;
  }

  double error() const {
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      sum += samples_[i].weight * costs_[i];
      weights += samples_[i].weight;
    }
    return weights > 0 ? sum / weights : 0;
  }

  Profile take() {
    for (const Knob& knob : knobs_) {
      profile_.origins[knob.number] = Origin::measured;
      if (knob.point) {
        profile_numbers()[knob.number].mutable_table(profile_).points[*knob.point].origin = Origin::measured;
      }
    }
    return std::move(profile_);
  }

 private:
  Result<bool> turn(Knob& knob) {
    if (knob.step < 0.002) return false;
    const double now = value(profile_, knob);
    const double before = sum_of(knob.moves, costs_);
    // A number near 0 moves by tens of nanoseconds all the same.
    const double by = std::max(now * knob.step, knob.step * 200);
    for (const double to : {now + by, now - by}) {
      Profile other = profile_;
      if (!set(other, knob, to)) continue;
      std::vector<double> costs = costs_;
      if (auto done = this->costs(other, knob.moves, costs); !done) return fail(done.error());
      if (sum_of(knob.moves, costs) >= before - 1e-9) continue;
      profile_ = std::move(other);
      costs_ = std::move(costs);
      knob.step = std::min(0.5, knob.step * 1.4);
      return true;
    }
    knob.step *= 0.5;
    return false;
  }

  double sum_of(const std::vector<std::size_t>& which, const std::vector<double>& costs) const {
    double sum = 0;
    for (const std::size_t i : which) sum += samples_[i].weight * costs[i];
    return sum;
  }

  // Of the samples in `which`, over all cores.
  Result<void> costs(const Profile& profile, const std::vector<std::size_t>& which, std::vector<double>& costs) {
    if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "The calibration was stopped on request.");
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> failed = false;
    Error error;
    const auto work = [&] {
      for (std::size_t at = next++; at < which.size() && !failed; at = next++) {
        const std::size_t i = which[at];
        const auto wall = predict_wall(profile, samples_[i].program);
        if (!wall) {
          if (!failed.exchange(true)) error = wall.error();
          return;
        }
        costs[i] = cost(static_cast<double>(*wall), static_cast<double>(samples_[i].measured));
      }
    };
    const std::size_t cores = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 32);
    const std::size_t workers = std::min(cores, which.size() / 8);
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < workers; ++i) threads.emplace_back(work);
    work();
    threads.clear();
    if (failed) return fail(std::move(error));
    return {};
  }

  // The relative error, with large ones counting for a little more and none for too much: a program that the model
  // does not understand must not bend all the rest.
  static double cost(double predicted, double measured) {
    const double off = std::abs(std::log(std::max(predicted, 1.0) / std::max(measured, 1.0)));
    return off < 0.3 ? off + off * off : 0.39 + (off - 0.3) * 0.5;
  }

  Profile profile_;
  std::span<const FitSample> samples_;
  std::stop_token stop_;
  std::vector<std::size_t> all_;
  std::vector<double> costs_;
  std::vector<Knob> knobs_;
};

}  // namespace

Result<Profile> fit_profile(const Profile& start, std::span<const FitSample> samples, const FitOptions& options,
                            const FitProgress& progress, std::stop_token stop) {
  const Nanoseconds begin = host_now();
  Fit fit(start, samples, std::move(stop));
  if (auto done = fit.begin(); !done) return fail(done.error());
  if (auto done = fit.find_knobs(progress, options.rounds); !done) return fail(done.error());
  for (int round = 0; round < options.rounds; ++round) {
    if (known(options.time) && host_now() - begin > options.time) break;
    const auto moved = fit.round();
    if (!moved) return fail(moved.error());
    if (progress) progress(round + 1, options.rounds, fit.error());
  }
  return fit.take();
}

}  // namespace streamscope
