#include "engine/calibration/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "engine/base/translate.h"
#include "engine/device/model/model.h"
#include "engine/predict/host_pace.h"
#include "engine/program/program.h"
#include "engine/program/read_program.h"

namespace streamscope::calibration {
namespace {

constexpr std::uint64_t kLarge = 1 << 20;
constexpr double kDiffer = 1.05;

bool is_large_pinned_copy(const program::Program& program) {
  int copies = 0;
  for (const program::Operation& operation : program.operations) {
    if (const auto* copy = std::get_if<program::op::Copy>(&operation.work)) {
      ++copies;
      if (copy->host.bytes < kLarge || copy->host.pitch != 0 ||
          program::host_memory(program, *copy) != program::HostMemory::pinned)
        return false;
    } else if (program::kind(operation.work) != OperationKind::sync) {
      return false;
    }
  }
  return copies == 1;
}

template <class Wanted>
std::vector<WallPrediction> chosen(std::span<const WallPrediction> from, Wanted wanted) {
  std::vector<WallPrediction> some;
  std::copy_if(from.begin(), from.end(), std::back_inserter(some), wanted);
  return some;
}

}  // namespace

Result<std::vector<WallPrediction>> predict(const model::Profile& profile, const Recording& recording,
                                            const StopFlag& stop) {
  if (recording.programs.empty()) return fail(ErrorKind::bad_input, tr("The recording has no programs to predict."));
  std::vector<WallPrediction> all;
  for (const RecordedProgram& one : recording.programs) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, tr("The prediction was stopped on request."));
    const auto read = TRY(program::read_program(one.text, one.name));
    const auto slower = TRY(predict::pace_of(profile, one.wall.pace));
    const auto wall = model::predict_wall(predict::at_pace(profile, slower), read.program);
    if (!wall) return fail(wall.error().kind, tr("program \"{}\": {}", one.name, wall.error().message));
    all.push_back(
        {one.name, one.family, one.wall.median, std::max<Nanoseconds>(1, *wall), is_large_pinned_copy(read.program)});
  }
  return all;
}

Recording without_pace(Recording recording) {
  for (RecordedProgram& one : recording.programs) one.wall.pace = kAbsent;
  return recording;
}

Result<Pace> pace(const model::Profile& profile, const Recording& recording) {
  std::vector<double> all;
  for (const RecordedProgram& one : recording.programs) {
    if (!known(one.wall.pace)) continue;
    const auto slower = TRY(predict::pace_of(profile, one.wall.pace));
    all.push_back(slower);
  }
  if (all.empty()) return Pace{};
  std::sort(all.begin(), all.end());
  const std::size_t last = all.size() - 1;
  return Pace{all[last / 4], all[last / 2], all[(3 * last + 3) / 4], all.size()};
}

std::vector<WallPrediction> between(const Recording& first, const Recording& second) {
  std::unordered_map<std::string_view, const RecordedProgram*> by_text;
  for (const RecordedProgram& one : second.programs) by_text.emplace(one.text, &one);
  std::vector<WallPrediction> all;
  for (const RecordedProgram& one : first.programs) {
    const auto other = by_text.find(one.text);
    if (other == by_text.end()) continue;
    const auto read = program::read_program(one.text, one.name);
    all.push_back({one.name, one.family, one.wall.median, other->second->wall.median,
                   read && is_large_pinned_copy(read->program)});
  }
  return all;
}

Result<std::vector<WallPrediction>> between_at_one_pace(const model::Profile& profile, const Recording& first,
                                                        const Recording& second) {
  std::unordered_map<std::string_view, Nanoseconds> walls;  // predicted for the second host, by text
  const auto predicted = TRY(predict(profile, second));
  for (std::size_t i = 0; i < predicted.size(); ++i) walls.emplace(second.programs[i].text, predicted[i].predicted);
  std::vector<WallPrediction> all = between(first, second);
  const auto own = TRY(predict(profile, first));
  std::size_t pair = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto other = walls.find(first.programs[i].text);
    if (other == walls.end()) continue;
    const double slower = static_cast<double>(own[i].predicted) / static_cast<double>(other->second);
    WallPrediction& one = all[pair++];
    one.predicted = std::max<Nanoseconds>(1, std::llround(static_cast<double>(one.predicted) * slower));
  }
  return all;
}

Result<std::vector<WallPrediction>> predict_at_best_pace(const model::Profile& profile, const Recording& recording) {
  constexpr double kLeast = 0.7, kMost = 2.2, kStep = 1.02;
  std::vector<WallPrediction> best = TRY(predict(profile, recording));
  const Recording unpaced = without_pace(recording);
  for (double pace = kLeast; pace < kMost; pace *= kStep) {
    const auto some = TRY(predict(predict::at_pace(profile, pace), unpaced));
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (std::abs(some[i].error()) < std::abs(best[i].error())) best[i] = some[i];
    }
  }
  return best;
}

Errors errors(std::span<const WallPrediction> predictions) {
  Errors found;
  found.programs = predictions.size();
  if (predictions.empty()) return found;
  std::vector<double> sizes;
  for (const WallPrediction& one : predictions) {
    sizes.push_back(std::abs(one.error()));
    found.bias += one.error();
  }
  std::sort(sizes.begin(), sizes.end());
  const std::size_t count = sizes.size();
  found.bias /= static_cast<double>(count);
  found.mean = std::accumulate(sizes.begin(), sizes.end(), 0.0) / static_cast<double>(count);
  found.median = count % 2 == 1 ? sizes[count / 2] : (sizes[count / 2 - 1] + sizes[count / 2]) / 2;
  found.percentile_95 = sizes[(95 * count + 99) / 100 - 1];
  found.worst = sizes.back();
  return found;
}

OrderAgreement order_agreement(std::span<const WallPrediction> predictions) {
  OrderAgreement found;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    for (std::size_t j = i + 1; j < predictions.size(); ++j) {
      const bool swap = predictions[j].measured < predictions[i].measured;
      const WallPrediction& shorter = predictions[swap ? j : i];
      const WallPrediction& longer = predictions[swap ? i : j];
      if (!(static_cast<double>(longer.measured) > kDiffer * static_cast<double>(shorter.measured))) continue;
      ++found.pairs;
      if (shorter.predicted < longer.predicted) ++found.alike;
    }
  }
  return found;
}

Accuracy accuracy(std::span<const WallPrediction> predictions) {
  Accuracy found;
  found.all = errors(predictions);
  found.large_pinned_copies =
      errors(chosen(predictions, [](const WallPrediction& one) { return one.large_pinned_copy; }));
  for (const WallPrediction& one : predictions) {
    const auto known_already = std::any_of(found.families.begin(), found.families.end(),
                                           [&](const Accuracy::Family& family) { return family.name == one.family; });
    if (known_already) continue;
    found.families.push_back({one.family, errors(chosen(predictions, [&](const WallPrediction& each) {
                                return each.family == one.family;
                              }))});
  }
  found.order = order_agreement(predictions);
  found.worst.resize(predictions.size());
  std::iota(found.worst.begin(), found.worst.end(), std::size_t{0});
  std::stable_sort(found.worst.begin(), found.worst.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(predictions[a].error()) > std::abs(predictions[b].error());
  });
  return found;
}

}  // namespace streamscope::calibration
