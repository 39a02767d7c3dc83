#include "engine/calibration/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/calibration/probes.h"
#include "engine/calibration/workloads.h"
#include "engine/device/model/model.h"
#include "engine/device/model/profile/profile_numbers.h"
#include "engine/predict/host_pace.h"
#include "engine/program/read_program.h"

namespace streamscope::calibration {
namespace {

double version(std::string_view compute_capability) {
  return std::strtod(std::string(compute_capability).c_str(), nullptr);
}

// Float32 multiply-adds of a multiprocessor in a clock: CUDA C++ Programming Guide, arithmetic instructions.
std::optional<int> multiply_adds(std::string_view compute_capability) {
  const auto tenths = std::lround(10 * version(compute_capability));
  if (tenths < 70) return std::nullopt;
  return tenths < 86 ? 64 : 128;
}

std::vector<RecordedProgram> quick(std::vector<Probe> probes) {
  std::vector<RecordedProgram> all;
  for (Probe& each : probes) {
    if (!each.thorough) all.push_back({std::move(each.name), std::move(each.group), false, {}, std::move(each.text)});
  }
  return all;
}

constexpr int kRounds = 3;  // of timing, where there is time for them
// Shares of the time by which each stage must have ended.
constexpr std::array kEnds{0.12, 0.15, 0.52, 0.78, 0.97};

class Calibrator {
 public:
  Calibrator(device::Device& device, const CalibrateOptions& options,
             const std::function<void(const CalibrateStep&)>& progress, StopFlag stop)
      : device_(device), options_(options), progress_(progress), stop_(std::move(stop)), begin_(host_now()) {}

  Result<Calibration> run(const model::Profile& start) {
    model::Profile first = described(device_.info(), start);
    const bool pair = options_.probes && device_.info().devices > 1;
    first.devices = pair ? 2 : 1;
    Calibration out;
    out.fitted = out.judged = empty();
    if (options_.probes) {
      TRY(time(CalibrateStage::probes, quick(probes()), first, out.fitted));
      probes_ = out.fitted.programs.size();
      if (pair) TRY(time(CalibrateStage::links, quick(link_probes()), first, out.fitted));
      out.links = out.fitted.programs.size() > probes_;
    }
    probes_ = out.fitted.programs.size();
    TRY(time(CalibrateStage::programs, workloads(options_.seed, options_.programs), first, out.fitted));
    TRY(time(CalibrateStage::judged, workloads(options_.seed + 1, options_.judged), first, out.judged));
    if (out.fitted.programs.empty() || out.judged.programs.empty()) {
      return fail(ErrorKind::bad_input, tr("In {:.1f} s no program could be measured; give more time.",
                                           static_cast<double>(options_.time) / 1e9));
    }
    out.refused = refused_;
    out.profile = TRY(fit(first, out.fitted));
    out.profile.devices = start.devices;  // no part of a file
    out.profile.name = device_.info().name;
    out.profile.compute_capability = device_.info().compute_capability;
    for (const auto& [profile, to] : {std::pair{&first, &out.before}, {&out.profile, &out.predictions}}) {
      *to = TRY(predict(*profile, out.judged, stop_));
    }
    keep_the_closer(out, first);
    return out;
  }

 private:
  Recording empty() const {
    const device::DeviceInfo& info = device_.info();
    return {std::string(trace::name(info.kind)), info.name, info.driver, utc_date(), {}};
  }
  Nanoseconds left(CalibrateStage stage) const {
    const auto end =
        static_cast<Nanoseconds>(kEnds[static_cast<std::size_t>(stage)] * static_cast<double>(options_.time));
    return std::max<Nanoseconds>(0, begin_ + end - host_now());
  }
  void report(CalibrateStage stage, int done, int total, double error = 0) const {
    if (!progress_) return;
    const auto at = static_cast<std::size_t>(stage);
    const double from = at == 0 ? 0 : kEnds[at - 1];
    const double part = total == 0 ? 0 : static_cast<double>(done) / total;
    progress_({stage, done, total, from + (kEnds[at] - from) * part, error});
  }

  // Those that both the device and a model of its size take.
  Result<void> time(CalibrateStage stage, std::vector<RecordedProgram> programs, const model::Profile& model,
                    Recording& to) {
    std::vector<measure::ProgramText> texts;
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      auto read = TRY(program::read_program(programs[i].text, programs[i].name));
      if (!model::predict_wall(model, read.program)) {
        ++refused_;
        continue;
      }
      texts.push_back({programs[i].name, programs[i].text});
      which.push_back(i);
    }
    measure::TimingOptions timing;
    timing.least = 5;
    timing.each = 25'000'000;
    timing.pace = true;
    const int rounds = device_.info().kind == trace::Provenance::Kind::model ? 1 : kRounds;
    const int total = rounds * static_cast<int>(texts.size());
    int done_so_far = 0;
    report(stage, 0, total);
    // Again while there is time for another whole round: of each program the quietest counts.
    Nanoseconds longest = 0;
    for (int round = 0; round < rounds && (round == 0 || left(stage) > longest); ++round) {
      const Nanoseconds began = host_now();
      timing.limit = left(stage);
      Recording timed;
      TRY(measure::time_programs(
          device_, texts, timing, stop_,
          [&](std::size_t index, const measure::WallTimes& times) {
            report(stage, ++done_so_far, total);
            if (times.median <= 0) return;
            timed.programs.push_back(programs[which[index]]);
            timed.programs.back().wall = times;
          },
          [&](std::size_t, const Error&) { refused_ += round == 0 ? 1 : 0; }));
      keep_quietest(to, std::move(timed));
      longest = std::max(longest, host_now() - began);
    }
    report(stage, total, total);
    return {};
  }

  Result<model::Profile> fit(model::Profile from, const Recording& recording) {
    seed_bus(from, recording);
    if (from.devices > 1) {
      seed_link(from.links.peer, from, recording, 256 << 20, "copies between devices");
      seed_link(from.links.staged, from, recording, 16 << 20, "staged copies between devices");
    }
    auto samples = TRY(fit_samples(recording.programs, probes_, middle_pace(recording.programs)));
    FitOptions how;
    how.rounds = 100;
    how.time = left(CalibrateStage::fit);
    how.choices = calibrate_choices(from);
    // The profile of such a device had seen more than a minute of one machine; that of another is only somewhere to
    // begin.
    how.reluctance = from.name == device_.info().name ? 1 : 0.1;
    return fit_profile(
        from, samples, how,
        [this](int done, int total, double error) { report(CalibrateStage::fit, done, total, error); }, stop_);
  }

  static std::optional<double> wall(const Recording& recording, std::string_view name) {
    for (const RecordedProgram& one : recording.programs) {
      if (one.name == name) return static_cast<double>(one.wall.median);
    }
    return std::nullopt;
  }

  // The bus is what differs most from device to device: the slope between two large copies shows it at once.
  static void seed_bus(model::Profile& profile, const Recording& recording) {
    const auto small = wall(recording, "copy h2d pinned, bytes=4MiB"),
               large = wall(recording, "copy h2d pinned, bytes=64MiB");
    if (!small || !large || *large <= *small) return;
    const double rate = 60.0 * (1 << 20) / (*large - *small);  // bytes a nanosecond
    if (std::abs(rate * 1e9 / model::link_rate(profile) - 1) < 0.05) return;
    model::Profile scaled = profile;
    if (!model::change(scaled, model::kLink, fmt::format("{:.3f}GB/s", rate))) return;
    scaled.changes = profile.changes;
    profile = std::move(scaled);
  }

  // And so for a table of links, from three more copies of that size behind the first; what a copy costs besides its
  // bytes stays for the fit to find.
  static void seed_link(model::TimeBySize& table, const model::Profile& profile, const Recording& recording,
                        std::uint64_t bytes, std::string_view group) {
    const auto of = [&](int n) {
      return wall(recording, fmt::format("{}, n={} bytes={}", group, n, exact_bytes(bytes)));
    };
    const auto one = of(1), four = of(4);
    const auto besides = static_cast<double>(table.points.front().time);
    const double now = static_cast<double>(table.at(bytes)) - besides;
    if (!one || !four || (*four - *one) / 3 <= besides || now <= 0) return;
    const double by = ((*four - *one) / 3 - besides) / now;
    if (std::abs(by - 1) < 0.05) return;
    model::Profile scaled = profile;
    scaled.links.peer = table;  // the one whose rate can be changed
    const double rate = model::find_link_rate(model::kPeerLink)->rate(scaled) / by;
    if (!model::change(scaled, model::kPeerLink, fmt::format("{:.3f}GB/s", rate / 1e9))) return;
    table = scaled.links.peer;
    for (std::size_t i = 1; i < table.points.size(); ++i) table.points[i].origin = model::Origin::measured;
  }

  device::Device& device_;
  const CalibrateOptions& options_;
  const std::function<void(const CalibrateStep&)>& progress_;
  StopFlag stop_;
  Nanoseconds begin_;
  std::size_t refused_ = 0;
  std::size_t probes_ = 0;  // of the programs to fit on, the first
};

void take(model::Profile& profile, std::string_view key, double value) {
  const auto index = model::find_number(key);
  if (!index || value <= 0) return;
  const model::ProfileNumber& number = model::profile_numbers()[*index];
  if (value < number.least || value > number.most) return;
  number.set(profile, value);
  profile.origins[*index] = model::Origin::datasheet;
}

}  // namespace

std::string_view name(CalibrateStage stage) {
  constexpr std::array<std::string_view, 5> kNames{tr_later("probes"), tr_later("links"), tr_later("programs"),
                                                   tr_later("programs to judge with"), tr_later("fit")};
  return tr(kNames[static_cast<std::size_t>(stage)]);
}

void keep_the_closer(Calibration& calibration, const model::Profile& began_with) {
  if (accuracy(calibration.before).all.mean >= accuracy(calibration.predictions).all.mean) return;
  const model::Profile fitted = std::exchange(calibration.profile, began_with);
  calibration.profile.name = fitted.name;
  calibration.profile.compute_capability = fitted.compute_capability;
  // Of links the judged programs, of one device, say nothing.
  calibration.profile.devices = fitted.devices;
  calibration.profile.links = fitted.links;
  for (std::size_t i = 0; i < model::profile_numbers().size(); ++i)
    if (model::profile_numbers()[i].section == "links") calibration.profile.origins[i] = fitted.origins[i];
  calibration.predictions = calibration.before;
  calibration.kept = true;
}

model::Profile described(const device::DeviceInfo& device, model::Profile start) {
  const bool same_kind = start.compute_capability == device.compute_capability;
  start.changes.clear();
  std::fill(start.origins.begin(), start.origins.end(), model::Origin::assumed);
  for (const model::ProfileNumber& number : model::profile_numbers()) {
    if (number.kind != model::NumberKind::times) continue;
    for (model::TimeBySize::Point& point : number.mutable_table(start).points) point.origin = model::Origin::assumed;
  }
  const model::Profile before = start;
  const device::MultiprocessorLimits& sm = device.limits;
  take(start, "device.memory", static_cast<double>(device.memory_bytes));
  take(start, "copies.engines", device.copy_engines);
  take(start, "compute.multiprocessors", device.multiprocessors);
  take(start, "compute.threads", sm.threads);
  take(start, "compute.blocks", sm.blocks);
  take(start, "compute.registers", sm.registers);
  take(start, "compute.shared_memory", static_cast<double>(sm.shared_bytes));
  take(start, "compute.block_threads", sm.block_threads);
  take(start, "compute.block_shared_memory", static_cast<double>(sm.block_shared));
  take(start, "compute.block_shared_memory_reserved", static_cast<double>(sm.block_shared_reserved));
  take(start, "compute.clock", sm.clock_mhz);
  if (const auto adds = multiply_adds(device.compute_capability); adds && !same_kind) {
    take(start, "compute.fma_per_clock", *adds);
  }
  start.device.highest_priority = device.highest_priority;
  start.origins[*model::find_number("device.highest_priority")] = model::Origin::datasheet;
  // By definition: the calls are measured on the host at hand.
  const std::size_t pace = *model::find_number(model::kHostPace);
  model::profile_numbers()[pace].set(start, 1e6);
  start.origins[pace] = model::Origin::measured;
  // Should the driver report what cannot be, the start's numbers stand.
  if (model::check_profile(start)) return before;
  return start;
}

const model::Profile& nearest(const device::DeviceInfo& device, std::span<const model::Profile> profiles) {
  const auto far = [&](const model::Profile& one) {
    return std::pair(std::abs(version(one.compute_capability) - version(device.compute_capability)),
                     std::abs(one.compute.multiprocessors - device.multiprocessors));
  };
  return *std::min_element(profiles.begin(), profiles.end(),
                           [&](const model::Profile& a, const model::Profile& b) { return far(a) < far(b); });
}

std::vector<FitChoice> calibrate_choices(const model::Profile& profile) {
  constexpr double kKib = 1024, kMib = kKib * kKib;
  std::vector<FitChoice> choices{
      {"host.free_waits", {0, 1}},
      {"host.malloc_waits", {0, 1}},
      {"streams.queue_depth", {128, 256, 510, 512, 1022, 1024, 2046, 4094}},
      {"streams.connections", {1, 2, 4, 8, 16, 32, 64, 128}},
      {"copies.queue", {0, 1, 2}},
      {"copies.staging", {64 * kKib, 256 * kKib, 512 * kKib, 1 * kMib, 2 * kMib, 4 * kMib, 16 * kMib}},
      {"compute.kernels", {1, 16, 32, 64, 128, 256}},
  };
  if (profile.devices > 1) choices.push_back({"links.over_bus", {0, 1}});
  FitChoice cache{"compute.cache_bytes", {}};
  for (const double by : {0.25, 0.5, 0.7, 0.85, 1.2, 1.5, 2.0, 4.0}) {
    cache.values.push_back(std::round(static_cast<double>(profile.compute.cache_bytes) * by / kMib) * kMib);
  }
  choices.push_back(std::move(cache));
  return choices;
}

Result<Calibration> calibrate(device::Device& device, const model::Profile& start, const CalibrateOptions& options,
                              const std::function<void(const CalibrateStep&)>& progress, StopFlag stop) {
  return Calibrator(device, options, progress, std::move(stop)).run(start);
}

}  // namespace streamscope::calibration
