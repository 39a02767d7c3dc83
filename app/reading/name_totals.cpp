#include "app/reading/name_totals.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "app/timeline/span_text.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::reading {
namespace {

// By the text, which many numbers may have; numbers are looked up in a table, texts only once for each.
class TotalsOfSide {
 public:
  void add(std::string_view name, Nanoseconds from, Nanoseconds to) {
    NameTotal& total = of(name);
    ++total.count;
    if (const Nanoseconds took = elapsed(from, to); known(took) && took > 0) streamscope::add(total.sum, took);
  }
  std::vector<NameTotal> finish() {
    Nanoseconds all = 0;
    for (const NameTotal& each : totals_) streamscope::add(all, each.sum);
    for (NameTotal& each : totals_) each.share = all > 0 ? static_cast<double>(each.sum) / static_cast<double>(all) : 0;
    std::stable_sort(totals_.begin(), totals_.end(),
                     [](const NameTotal& a, const NameTotal& b) { return a.sum > b.sum; });
    return std::move(totals_);
  }

 private:
  NameTotal& of(std::string_view name) {
    if (last_ < totals_.size() && totals_[last_].name == name) return totals_[last_];
    const auto [found, made] = places_.emplace(name, totals_.size());
    if (made) totals_.push_back({std::string(name)});
    last_ = found->second;
    return totals_[last_];
  }

  std::vector<NameTotal> totals_;
  std::unordered_map<std::string_view, std::size_t> places_;  // the trace's own texts
  std::size_t last_ = 0;
};

}  // namespace

NameTotals name_totals(const trace::Trace& trace) {
  TotalsOfSide device, host;
  for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    if (span.stream != trace::Span::kNoStream) device.add(timeline::span_name(trace, span), span.start, span.end);
    if (trace::has_own_call(span)) host.add(timeline::call_text(trace, span), span.host_begin, span.host_end);
  }
  return {device.finish(), host.finish()};
}

}  // namespace streamscope::reading
