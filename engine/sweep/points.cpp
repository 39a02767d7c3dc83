#include "engine/sweep/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/translate.h"

namespace streamscope::sweep {
namespace {

// Most combinations have the same notes.
void add_note(trace::Notes& notes, const trace::Note& note) {
  constexpr std::size_t kMostNotes = 20;
  if (notes.size() < kMostNotes && std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
}

}  // namespace

Points::Points(const Combinations& combinations, Sweep& sweep) : combinations_(combinations), sweep_(sweep) {
  for (const Combination& one : combinations.all) {
    if (one.why_not.empty() && !one.same_as) waiting_.push_back(sweep.points.size());
    sweep.points.push_back({.result = {}, .why_not = one.why_not, .same_as = {}});
  }
  left_ = waiting_.size();
}

std::optional<std::size_t> Points::take() {
  if (waiting_.empty()) return {};
  const std::size_t next = waiting_.front();
  waiting_.pop_front();
  return next;
}

void Points::give_back(std::size_t taken) { waiting_.push_back(taken); }

void Points::keep(std::size_t taken, Result<SweepResult> result) {
  if (result) {
    sweep_.points[taken].result = std::move(*result);
  } else {
    sweep_.points[taken].why_not = reason_of(result.error());
  }
  --left_;
}

void Points::finish(const std::optional<Error>& ended) {
  std::set<std::string> devices;
  for (std::size_t i = 0; i < sweep_.points.size(); ++i) {
    SweepPoint& point = sweep_.points[i];
    if (const auto& same = combinations_.all[i].same_as) {
      point = sweep_.points[*same];
      point.same_as = same;
    } else if (point.result) {
      sweep_.provenance = point.result->provenance;
      devices.insert(fmt::format("{} {}", tr(trace::badge(sweep_.provenance.kind)), sweep_.provenance.device));
      for (const trace::Note& note : point.result->notes) add_note(sweep_.notes, note);
    } else if (point.why_not.empty() && ended) {
      point.why_not = tr("not run: {}", reason_of(*ended));
    }
  }
  if (devices.size() < 2) return;
  // First, as no figure means much without it.
  sweep_.notes.insert(sweep_.notes.begin(), {trace::NoteKind::other,
                                             tr("The engines ran on different devices, whose times do not compare: {}.",
                                                fmt::join(devices, ", "))});
}

}  // namespace streamscope::sweep
