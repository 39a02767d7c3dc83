#include "engine/calibration/fit.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/base/time.h"
#include "engine/base/translate.h"
#include "engine/device/model/model.h"
#include "engine/device/model/profile/profile_numbers.h"
#include "engine/measure/host_pace.h"
#include "engine/predict/host_pace.h"
#include "engine/program/read_program.h"

namespace streamscope::calibration {
namespace {

constexpr double kSmallestStep = 0.002;
// What another choice must win, of what the programs that depend on it are off: less may be chance.
constexpr double kGoodDeal = 0.03;
// Counts that are rates by nature.
constexpr std::array<std::string_view, 2> kRates{"compute.fma_per_clock", "compute.block_rate"};

// Times beyond which something else happens: small steps find no way to better ones.
constexpr std::array<std::string_view, 3> kLimits{"streams.short_wait", "streams.long_wait",
                                                  "streams.host_function_patience"};

bool is_fixed(std::string_view path) {
  // The pace of the host is 1 by definition.
  return path == model::kHostPace || std::find(kLimits.begin(), kLimits.end(), path) != kLimits.end();
}

// A number that can be moved: a single one, one point of a table, or all from a point on in proportion.
struct Knob {
  std::size_t number = 0;
  enum class What : std::uint8_t { single, point, from_point } what = What::single;
  std::size_t point = 0;
  double step = 0.2;               // relative
  bool up = true;                  // where it went last
  std::vector<std::size_t> moves;  // samples that depend on it
  bool held = false;               // by nothing but reluctance, when it last tried to move
};

bool can_move(const model::ProfileNumber& number) {
  if (is_fixed(number.path)) return false;
  switch (number.kind) {
    case model::NumberKind::time:
    case model::NumberKind::rate:
    case model::NumberKind::share:
    case model::NumberKind::times: return true;
    case model::NumberKind::count: return std::find(kRates.begin(), kRates.end(), number.path) != kRates.end();
    default: return false;
  }
}

// Of a table its longest time.
double value(const model::Profile& profile, const Knob& knob) {
  const model::ProfileNumber& number = model::profile_numbers()[knob.number];
  if (knob.what == Knob::What::single) return number.get(profile);
  const auto& points = number.table(profile).points;
  return static_cast<double>((knob.what == Knob::What::point ? points[knob.point] : points.back()).time);
}

// False where the value would be out of bounds, or the table no longer rise. The neighbours of a point may give way:
// else a point that has gone astray would hold them all.
bool set(model::Profile& profile, const Knob& knob, double to, bool give_way = false) {
  const model::ProfileNumber& number = model::profile_numbers()[knob.number];
  to = std::round(to);
  if (knob.what == Knob::What::single) {
    if (to < number.least || to > number.most) return false;
    number.set(profile, to);
    return true;
  }
  if (to < 0 || to > static_cast<double>(kLongestModelled)) return false;
  auto& points = number.mutable_table(profile).points;
  if (knob.what == Knob::What::from_point) {
    const double by = to / std::max(1.0, static_cast<double>(points.back().time));
    for (std::size_t i = knob.point; i < points.size(); ++i) {
      points[i].time = static_cast<Nanoseconds>(std::llround(static_cast<double>(points[i].time) * by));
    }
    return knob.point == 0 || points[knob.point].time >= points[knob.point - 1].time;
  }
  const std::size_t at = knob.point;
  const auto time = static_cast<Nanoseconds>(to);
  const bool falls = (at > 0 && time < points[at - 1].time) || (at + 1 < points.size() && time > points[at + 1].time);
  if (falls && !give_way) return false;
  for (std::size_t i = 0; i < at; ++i) points[i].time = std::min(points[i].time, time);
  for (std::size_t i = at + 1; i < points.size(); ++i) points[i].time = std::max(points[i].time, time);
  points[at].time = time;
  return true;
}

// How far a number has gone from where it began, as a logarithm; of a table the mean of its points.
double strayed(const model::ProfileNumber& number, const model::Profile& from, const model::Profile& to) {
  constexpr double kNearNothing = 200;  // nanoseconds; of shorter times a factor means nothing
  const auto by = [](double before, double after, double near_nothing) {
    return std::abs(std::log((after + near_nothing) / (before + near_nothing)));
  };
  if (number.kind != model::NumberKind::times) {
    return by(number.get(from), number.get(to), number.kind == model::NumberKind::time ? kNearNothing : 1);
  }
  const auto &before = number.table(from).points, &after = number.table(to).points;
  double sum = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    sum += by(static_cast<double>(before[i].time), static_cast<double>(after[i].time), kNearNothing);
  }
  return sum / static_cast<double>(before.size());
}

class Fit {
 public:
  Fit(const model::Profile& start, std::span<const FitSample> samples, const FitOptions& options, StopFlag stop)
      : start_(start),
        profile_(start),
        samples_(samples),
        options_(options),
        stop_(std::move(stop)),
        begin_(host_now()) {
    double weights = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      all_.push_back(i);
      weights += samples[i].weight;
    }
    reluctance_ = options.reluctance * weights / static_cast<double>(std::max<std::size_t>(1, samples.size()));
    // The longest first, so that no core is left with one at the end.
    std::stable_sort(all_.begin(), all_.end(), [&](std::size_t a, std::size_t b) {
      return samples_[a].program.operations.size() > samples_[b].program.operations.size();
    });
  }

  Result<void> begin() {
    costs_.resize(samples_.size());
    return costs(profile_, all_, costs_);
  }
  bool late() const { return known(options_.time) && host_now() - begin_ > options_.time; }

  // Which samples depend on what.
  Result<void> find_knobs(const FitProgress& progress) {
    std::vector<Knob> candidates;
    for (std::size_t n = 0; n < model::profile_numbers().size(); ++n) {
      const model::ProfileNumber& number = model::profile_numbers()[n];
      if (!can_move(number)) continue;
      Knob knob;
      knob.number = n;
      if (number.kind == model::NumberKind::times) {
        const std::size_t points = number.table(profile_).points.size();
        // All of a table, and the larger sizes, where the speed counts and not the latency.
        knob.what = Knob::What::from_point;
        candidates.push_back(knob);
        knob.point = points / 2;
        if (points > 4) candidates.push_back(knob);
        knob.what = Knob::What::point;
        for (knob.point = 0; knob.point < points; ++knob.point) candidates.push_back(knob);
      } else {
        candidates.push_back(knob);
      }
    }
    std::vector<double> moved(samples_.size());
    for (Knob& knob : candidates) {
      if (late()) break;
      model::Profile other = profile_;
      // Up, or down where a neighbour or a limit is in the way; else the neighbours move along.
      const double up = value(profile_, knob) * 1.3 + 300, down = value(profile_, knob) * 0.7;
      if (!set(other, knob, up) && !set(other, knob, down) && !set(other, knob, up, true)) continue;
      TRY(costs(other, all_, moved));
      knob.moves = changed(moved);
      if (!knob.moves.empty()) knobs_.push_back(std::move(knob));
      if (progress) progress(0, options_.rounds, error());
    }
    return {};
  }

  // Takes another value where that is a good deal better.
  Result<void> choose() {
    for (const FitChoice& choice : options_.choices) {
      const auto number = model::find_number(choice.key);
      if (!number) continue;
      for (const double to : choice.values) {
        if (late()) return {};
        const model::ProfileNumber& which = model::profile_numbers()[*number];
        if (to < which.least || to > which.most || to == which.get(profile_)) continue;
        model::Profile other = profile_;
        which.set(other, to);
        if (model::check_profile(other)) continue;
        std::vector<double> costs = costs_;
        if (auto done = this->costs(other, all_, costs); !done) {
          if (done.error().kind == ErrorKind::cancelled) return done;
          continue;  // a program cannot run with that
        }
        const std::vector<std::size_t> moves = changed(costs);
        if (moves.empty()) continue;
        const double before = sum_of(moves, costs_), after = sum_of(moves, costs);
        if (std::abs(after - before) > kGoodDeal * std::max(after, before)) told_.push_back(*number);
        if (after > before * (1 - kGoodDeal)) continue;
        profile_ = std::move(other);
        costs_ = std::move(costs);
      }
    }
    return {};
  }

  // Tries each knob once; true where any moved or could still move by less.
  Result<bool> round() {
    bool any = false;
    for (Knob& knob : knobs_) {
      if (late()) break;
      if (knob.step < kSmallestStep) continue;
      any = true;
      TRY(turn(knob));
    }
    return any;
  }
  // After a choice what had come to rest may move again.
  void stir() {
    for (Knob& knob : knobs_) knob.step = std::max(knob.step, 0.05);
  }

  double error() const {
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      sum += samples_[i].weight * costs_[i];
      weights += samples_[i].weight;
    }
    return weights > 0 ? sum / weights : 0;
  }

  model::Profile take() {
    for (const Knob& knob : knobs_) {
      if (knob.held && strayed(model::profile_numbers()[knob.number], start_, profile_) == 0) continue;
      profile_.origins[knob.number] = model::Origin::measured;
      if (knob.what == Knob::What::point) {
        model::profile_numbers()[knob.number].mutable_table(profile_).points[knob.point].origin =
            model::Origin::measured;
      }
    }
    for (const std::size_t number : told_) profile_.origins[number] = model::Origin::measured;
    for (const Knob& knob : knobs_) {
      if (knob.what == Knob::What::from_point)
        join(model::profile_numbers()[knob.number].mutable_table(profile_).points);
    }
    return std::move(profile_);
  }

 private:
  // A point that no program depends on lies on the line between its measured neighbours: those have moved away.
  static void join(std::vector<model::TimeBySize::Point>& points) {
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
      const model::TimeBySize::Point& before = points[i - 1];
      auto after =
          std::find_if(points.begin() + static_cast<std::ptrdiff_t>(i), points.end(),
                       [](const model::TimeBySize::Point& each) { return each.origin == model::Origin::measured; });
      if (after == points.end() || points[i].origin == model::Origin::measured) continue;
      const double part =
          static_cast<double>(points[i].bytes - before.bytes) / static_cast<double>(after->bytes - before.bytes);
      points[i].time = before.time + std::llround(part * static_cast<double>(after->time - before.time));
    }
  }

  Result<void> turn(Knob& knob) {
    const model::ProfileNumber& number = model::profile_numbers()[knob.number];
    const double now = value(profile_, knob);
    // A number near 0 moves by tens of nanoseconds all the same.
    knob.held = false;
    const double by = std::max({now * knob.step, knob.step * 200, 1.0});
    for (const bool up : {knob.up, !knob.up}) {
      model::Profile other = profile_;
      if (!set(other, knob, up ? now + by : now - std::min(by, 0.9 * now), true)) continue;
      const std::vector<std::size_t> moves = moved_by(knob, other);
      std::vector<double> costs = costs_;
      TRY(this->costs(other, moves, costs));
      const double further = strayed(number, start_, other) - strayed(number, start_, profile_);
      const double won = sum_of(moves, costs_) - sum_of(moves, costs) - 1e-9;
      if (won <= reluctance_ * further) {
        knob.held = knob.held || won > 0;
        continue;
      }
      profile_ = std::move(other);
      costs_ = std::move(costs);
      knob.step = std::min(0.5, knob.step * 1.4);
      knob.up = up;
      return {};
    }
    knob.step *= 0.5;
    return {};
  }

  // The samples that the knob moves, and those of the points that gave way to it.
  std::vector<std::size_t> moved_by(const Knob& knob, const model::Profile& to) const {
    std::vector<std::size_t> moves = knob.moves;
    if (knob.what != Knob::What::point) return moves;
    const model::ProfileNumber& number = model::profile_numbers()[knob.number];
    const auto &before = number.table(profile_).points, &after = number.table(to).points;
    for (const Knob& other : knobs_) {
      if (other.number != knob.number || other.what != Knob::What::point || other.point == knob.point) continue;
      if (before[other.point].time == after[other.point].time) continue;
      moves.insert(moves.end(), other.moves.begin(), other.moves.end());
    }
    std::sort(moves.begin(), moves.end());
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    return moves;
  }

  // The samples of which the costs are others now.
  std::vector<std::size_t> changed(const std::vector<double>& costs) const {
    std::vector<std::size_t> which;
    std::copy_if(all_.begin(), all_.end(), std::back_inserter(which),
                 [&](std::size_t i) { return costs[i] != costs_[i]; });
    return which;
  }

  double sum_of(const std::vector<std::size_t>& which, const std::vector<double>& costs) const {
    double sum = 0;
    for (const std::size_t i : which) sum += samples_[i].weight * costs[i];
    return sum;
  }

  // Of the samples in `which`, over all cores.
  Result<void> costs(const model::Profile& profile, const std::vector<std::size_t>& which, std::vector<double>& costs) {
    if (stop_.stop_requested()) return fail(ErrorKind::cancelled, tr("The calibration was stopped on request."));
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> failed = false;
    Error error;
    const auto work = [&] {
      for (std::size_t at = next++; at < which.size() && !failed; at = next++) {
        const std::size_t i = which[at];
        const FitSample& one = samples_[i];
        const auto wall =
            model::predict_wall(one.slower == 1 ? profile : predict::at_pace(profile, one.slower), one.program);
        if (!wall) {
          if (!failed.exchange(true)) error = wall.error();
          return;
        }
        costs[i] = cost(static_cast<double>(*wall), static_cast<double>(samples_[i].measured));
      }
    };
    const std::size_t cores = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 32);
    const std::size_t workers = std::min(cores, which.size() / 4);
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

  const model::Profile& start_;
  model::Profile profile_;
  std::span<const FitSample> samples_;
  const FitOptions& options_;
  StopFlag stop_;
  Nanoseconds begin_;
  std::vector<std::size_t> all_;
  std::vector<double> costs_;
  std::vector<Knob> knobs_;
  double reluctance_ = 0;
  std::vector<std::size_t> told_;  // choices that made a difference
};

}  // namespace

Result<std::vector<FitSample>> fit_samples(std::span<const RecordedProgram> programs, std::size_t probes,
                                           Nanoseconds pace) {
  constexpr double kOfProbes = 1, kOfOthers = 4;
  std::vector<FitSample> samples;
  double weights = 0;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const RecordedProgram& one = programs[i];
    auto read = TRY(program::read_program(one.text, one.name));
    const double noise = static_cast<double>(one.wall.high - one.wall.low) / static_cast<double>(one.wall.median);
    const double weight = (one.thorough ? 0.5 : 1) * (i < probes ? kOfProbes : kOfOthers) / (1 + 10 * noise);
    const double slower =
        known(pace) && known(one.wall.pace) ? static_cast<double>(one.wall.pace) / static_cast<double>(pace) : 1;
    samples.push_back({std::move(read.program), one.wall.median, weight, slower});
    weights += weight;
  }
  // Each of the others was measured against it.
  if (known(pace)) samples.push_back({measure::pace_program(), pace, weights * 0.1, 1});
  return samples;
}

Result<model::Profile> fit_profile(const model::Profile& start, std::span<const FitSample> samples,
                                   const FitOptions& options, const FitProgress& progress, StopFlag stop) {
  constexpr int kChooseEvery = 8;
  Fit fit(start, samples, options, std::move(stop));
  TRY(fit.begin());
  TRY(fit.find_knobs(progress));
  for (int round = 0; round < options.rounds && !fit.late(); ++round) {
    const auto moved = TRY(fit.round());
    const double before = fit.error();
    // Choices are made once the times are roughly right, and again when all have come to rest.
    if (!moved || round % kChooseEvery == 3) {
      TRY(fit.choose());
      const bool chosen = fit.error() < before;
      if (!moved && !chosen) break;
      if (chosen) fit.stir();
    }
    if (progress) progress(round + 1, options.rounds, fit.error());
  }
  return fit.take();
}

}  // namespace streamscope::calibration
