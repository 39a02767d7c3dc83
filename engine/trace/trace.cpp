#include "engine/trace/trace.h"

#include <algorithm>

namespace streamscope {

std::optional<Statistic> statistic(std::vector<Nanoseconds> samples) {
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  return Statistic{samples[(samples.size() - 1) / 2], samples.front(), samples.back()};
}

std::string_view name(Provenance::Kind kind) { return kind == Provenance::Kind::measured ? "measured" : "model"; }
std::string_view badge(Provenance::Kind kind) { return kind == Provenance::Kind::measured ? "MEASURED" : "MODEL"; }

bool device_work(const Span& span) {
  return span.engine == Engine::h2d || span.engine == Engine::d2h || span.engine == Engine::compute ||
         span.kind == OperationKind::hostfn;
}

Nanoseconds makespan(const std::vector<Span>& spans) {
  Nanoseconds first = kAbsent, last = kAbsent;
  for (const Span& span : spans) {
    if (!device_work(span) || !known(span.start) || !known(span.end) || span.end < span.start) continue;
    if (!known(first) || span.start < first) first = span.start;
    if (!known(last) || span.end > last) last = span.end;
  }
  return elapsed(first, last);
}

}  // namespace streamscope
