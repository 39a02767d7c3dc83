#include "app/cli/accuracy_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/time.h"
#include "engine/base/translate.h"

namespace streamscope::cli {
namespace {

std::string per_cent(double share, bool sign = false) {
  return sign ? fmt::format("{:+.1f} %", share * 100) : fmt::format("{:.1f} %", share * 100);
}

std::string row(const std::string& name, const calibration::Errors& of) {
  return fmt::format("{:<46} {:>5} {:>8} {:>8} {:>8} {:>8} {:>8}\n", name.substr(0, 46), of.programs, per_cent(of.mean),
                     per_cent(of.median), per_cent(of.percentile_95), per_cent(of.worst), per_cent(of.bias, true));
}

}  // namespace

bool within(const calibration::Accuracy& found, const Bounds& bounds) {
  return found.all.mean <= bounds.mean && found.all.percentile_95 <= bounds.percentile_95 &&
         found.large_pinned_copies.mean <= bounds.large_pinned_copies && found.order.share() >= bounds.order;
}

std::string words(const calibration::Accuracy& found, const std::vector<calibration::WallPrediction>& predictions,
                  const calibration::Recording& recording, const Bounds& bounds, std::size_t most) {
  std::string out = fmt::format("{:<46} {:>5} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "", "n", tr("mean"), tr("median"),
                                "95 %", tr("worst"), tr("bias"));
  for (const calibration::Accuracy::Family& family : found.families) out += row(family.name, family.errors);
  out += row(tr("ALL"), found.all);
  if (found.large_pinned_copies.programs > 0)
    out += row(tr("pinned copies alone of 1 MiB or more"), found.large_pinned_copies);
  out += tr("order: {} of {} pairs that differ by over 5 % are ranked alike, {:.2f} %\n", found.order.alike,
            found.order.pairs, found.order.share() * 100);
  if (most > 0)
    out += fmt::format("\n{:>12} {:>12} {:>9} {:>10}  {}\n", tr("measured us"), tr("predicted"), tr("error"),
                       tr("quartiles"), tr("the farthest off"));
  for (std::size_t i = 0; i < std::min(most, found.worst.size()); ++i) {
    const calibration::WallPrediction& one = predictions[found.worst[i]];
    const measure::WallTimes& wall = recording.programs[found.worst[i]].wall;
    out += fmt::format("{:>12.1f} {:>12.1f} {:>9} {:>10}  {}\n", static_cast<double>(one.measured) / 1e3,
                       static_cast<double>(one.predicted) / 1e3, per_cent(one.error(), true),
                       "±" + per_cent(static_cast<double>(wall.high - wall.low) / 2 / static_cast<double>(wall.median)),
                       one.name);
  }
  out += tr(
      "\n{}: mean {:.2f} % (at most {:.0f}), 95th percentile {:.2f} % (at most {:.0f}), large pinned copies {:.2f} % "
      "(at most {:.0f}), order {:.2f} % (at least {:.0f})\n",
      within(found, bounds) ? tr("WITHIN BOUNDS") : tr("OUT OF BOUNDS"), found.all.mean * 100, bounds.mean * 100,
      found.all.percentile_95 * 100, bounds.percentile_95 * 100, found.large_pinned_copies.mean * 100,
      bounds.large_pinned_copies * 100, found.order.share() * 100, bounds.order * 100);
  return out;
}

std::string self_agreement(const calibration::Accuracy& found, std::size_t programs,
                           const calibration::Recording& first, const calibration::Recording& second) {
  std::string out = tr("{} programs recorded twice, {} and {}: how far the second is from the first\n", programs,
                       first.date, second.date);
  for (const calibration::Accuracy::Family& family : found.families) out += row(family.name, family.errors);
  out += row(tr("ALL"), found.all);
  return out + tr("order: {:.2f} % of {} pairs\n", found.order.share() * 100, found.order.pairs);
}

draw::Scatter figure_of(const calibration::Accuracy& found, const std::vector<calibration::WallPrediction>& predictions,
                        const calibration::Recording& recording, const device::DeviceInfo& model,
                        const Bounds& bounds) {
  draw::Scatter out;
  out.caption.title = tr("Predicted and measured wall times");
  out.caption.subtitle =
      tr("{} programs of {} sorts  ·  median of bare runs against one run of the model  ·  bands ±5 % and ±15 %",
         predictions.size(), found.families.size());
  const auto card = [&](const char* name, const std::string& value, const std::string& bound, bool good) {
    out.figures.push_back({name, value, bound, !good});
  };
  card(tr("Mean error"), fmt::format("{:.1f} %", found.all.mean * 100), tr("at most {:.0f} %", bounds.mean * 100),
       found.all.mean <= bounds.mean);
  card(tr("95th percentile"), fmt::format("{:.1f} %", found.all.percentile_95 * 100),
       tr("at most {:.0f} %", bounds.percentile_95 * 100), found.all.percentile_95 <= bounds.percentile_95);
  if (found.large_pinned_copies.programs > 0) {
    card(tr("Pinned copies of 1 MiB or more"), fmt::format("{:.1f} %", found.large_pinned_copies.mean * 100),
         tr("mean of {}, at most {:.0f} %; worst {:.1f} %", found.large_pinned_copies.programs,
            bounds.large_pinned_copies * 100, found.large_pinned_copies.worst * 100),
         found.large_pinned_copies.mean <= bounds.large_pinned_copies);
  }
  card(tr("Ranked alike"), fmt::format("{:.1f} %", found.order.share() * 100),
       tr("of {} pairs, at least {:.0f} %", found.order.pairs, bounds.order * 100),
       found.order.share() >= bounds.order);
  card(tr("Mean error with its sign"), per_cent(found.all.bias, true),
       found.all.bias < 0 ? tr("predicted too short") : tr("predicted too long"), true);
  for (const calibration::Accuracy::Family& family : found.families) {
    draw::ScatterFamily shown{family.name, family.errors.mean, family.errors.percentile_95, {}};
    for (const calibration::WallPrediction& one : predictions) {
      if (one.family == family.name) shown.points.push_back({one.measured, one.predicted});
    }
    out.families.push_back(std::move(shown));
  }
  std::string worst;
  for (std::size_t i = 0; i < std::min<std::size_t>(5, found.worst.size()); ++i) {
    const calibration::WallPrediction& one = predictions[found.worst[i]];
    worst += fmt::format("{}{} {}", i == 0 ? "" : ",  ", one.name, per_cent(one.error(), true));
  }
  out.notes.push_back(tr("Farthest off: {}", worst));
  out.measured.kind = recording.kind == "model" ? trace::Provenance::Kind::model : trace::Provenance::Kind::measured;
  out.measured.device = recording.device;
  out.measured.driver = recording.driver;
  out.measured.instrument = "bare";
  out.measured.date = recording.date;
  out.predicted.kind = model.kind;
  out.predicted.device = model.name;
  out.predicted.driver = model.driver;
  out.predicted.profile = model.profile;
  out.predicted.date = utc_date();
  return out;
}

std::string pairs_csv(const std::vector<calibration::WallPrediction>& predictions) {
  std::string out = "name,family,measured_ns,predicted_ns,error\n";
  for (const calibration::WallPrediction& one : predictions) {
    out += fmt::format("\"{}\",\"{}\",{},{},{:.5f}\n", one.name, one.family, one.measured, one.predicted, one.error());
  }
  return out;
}

}  // namespace streamscope::cli
