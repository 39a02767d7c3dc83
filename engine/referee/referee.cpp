#include "engine/referee/referee.h"

#include <algorithm>
#include <cmath>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::referee {
namespace {

void widen(std::uint32_t& uncertainty, Nanoseconds to) {
  uncertainty = static_cast<std::uint32_t>(std::clamp<Nanoseconds>(to, uncertainty, 0xFFFFFFFF));
}

// What the bar would have to be long to agree; kAbsent where it agrees already.
Nanoseconds agreed_length(const trace::Span& span, Nanoseconds shortest, Nanoseconds longest) {
  const Nanoseconds length = span.end - span.start;
  const Nanoseconds doubt = Nanoseconds{span.start_uncertainty} + span.uncertainty + kMargin;
  const auto part = [](Nanoseconds of) {
    return static_cast<Nanoseconds>(std::llround(kMarginPart * static_cast<double>(of)));
  };
  if (length + doubt < shortest - part(shortest)) return shortest;
  if (length - doubt > longest + part(longest)) return longest;
  return kAbsent;
}

// The drawn times stay: passes differ, and those of this one are bounded by what was seen of it. The doubt grows until
// it covers what the other passes took.
void widen_to(trace::Span& span, Nanoseconds length) {
  const Nanoseconds doubt = Nanoseconds{span.start_uncertainty} + span.uncertainty;
  const Nanoseconds missing = std::abs(length - (span.end - span.start)) - doubt;
  if (span.start_source == trace::Source::inferred) {
    widen(span.start_uncertainty, span.start_uncertainty + missing);
    span.start_source = trace::Source::referee;
  } else {
    widen(span.uncertainty, span.uncertainty + missing);
    span.source = trace::Source::referee;
  }
}

std::string named(const trace::Trace& trace, const trace::Span& span) {
  const std::string name = span.name < trace.names.size() ? trace.names[span.name] : std::string();
  return span.line == 0 ? name : tr("{} of line {}", name, span.line);
}

}  // namespace

measure::MeasureOptions options_of(const measure::MeasureOptions& judged) {
  measure::MeasureOptions options;
  options.instrument = device::Instrument::cupti;
  options.gate = judged.gate;
  options.long_kernels = judged.long_kernels;
  options.own = judged.own;
  options.own_limit = judged.own_limit;
  options.observer_effect = false;
  options.verify = false;
  return options;
}

bool can_judge(const measure::MeasureOptions& options, trace::Provenance::Kind kind) {
  const bool inferred =
      options.instrument == device::Instrument::full || options.instrument == device::Instrument::sampled;
  return inferred && kind == trace::Provenance::Kind::measured;
}

Opinion opinion_of(std::span<const trace::Run> runs) {
  Opinion opinion;
  if (runs.empty()) return opinion;
  opinion.passes = static_cast<int>(runs.size());
  opinion.by = "CUPTI";
  const std::size_t count = runs.front().trace.spans.size();
  for (auto* const all : {&opinion.shortest, &opinion.median, &opinion.longest}) all->assign(count, kAbsent);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Nanoseconds> lengths;
    for (const trace::Run& run : runs) {
      if (i >= run.trace.spans.size()) continue;
      const trace::Span& span = run.trace.spans[i];
      if (span.source == trace::Source::cupti && span.start_source == trace::Source::cupti) {
        lengths.push_back(span.end - span.start);
      }
    }
    if (lengths.empty()) continue;
    std::sort(lengths.begin(), lengths.end());
    opinion.shortest[i] = lengths.front();
    opinion.median[i] = lengths[(lengths.size() - 1) / 2];
    opinion.longest[i] = lengths.back();
  }
  return opinion;
}

void judge(trace::Run& run, const Result<Opinion>& opinion) {
  trace::Referee& said = run.referee.emplace();
  if (!opinion) {
    said.why_not = opinion.error().message;
    return;
  }
  said.by = opinion->by;
  said.passes = opinion->passes;
  std::vector<trace::Span>& spans = run.trace.spans;
  const std::size_t count = std::min({spans.size(), opinion->shortest.size(), opinion->longest.size()});
  Nanoseconds worst = 0;
  std::string of_worst;
  for (std::size_t i = 0; i < count; ++i) {
    trace::Span& span = spans[i];
    if (!trace::device_work(span) || !known(span.start) || !known(span.end) || !known(opinion->shortest[i])) continue;
    ++said.compared;
    const Nanoseconds length = agreed_length(span, opinion->shortest[i], opinion->longest[i]);
    if (!known(length)) continue;
    ++said.contradicted;
    const Nanoseconds drawn = span.end - span.start;
    if (std::abs(length - drawn) > worst) {
      worst = std::abs(length - drawn);
      of_worst = tr("{} is {} long and took {} there", named(run.trace, span), display_duration(drawn),
                    display_duration(length));
    }
    widen_to(span, length);
  }
  if (said.contradicted == 0) return;
  run.notes.push_back(
      {trace::NoteKind::instrument,
       tr("{} of {} bars contradicted CUPTI's records of {} other passes beyond both doubts; their doubt was "
          "widened; at worst {}.",
          said.contradicted, said.compared, said.passes, of_worst)});
}

}  // namespace streamscope::referee
