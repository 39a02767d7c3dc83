#include "engine/lesson/quantities.h"

#include <algorithm>
#include <array>
#include <map>

#include "engine/analysis/figures.h"
#include "engine/analysis/kernel_figures.h"
#include "engine/analysis/stage_times.h"
#include "engine/base/translate.h"
#include "engine/verdict/call_slices.h"
#include "engine/verdict/slices.h"

namespace streamscope::lesson {
namespace {

using Words = std::vector<std::string_view>;

tl::unexpected<Error> not_known() { return fail(ErrorKind::bad_input, tr("it is not known of this run")); }

Result<Value> time(Nanoseconds value) {
  if (!known(value)) return not_known();
  return static_cast<double>(value);
}
Result<Value> median(const std::optional<trace::Statistic>& of) { return time(of ? of->median : kAbsent); }
Result<Value> count(std::size_t value) { return static_cast<double>(value); }

const trace::Span& span(const Asked& asked) { return asked.facts.run.trace.spans[asked.operation]; }
const verdict::History& history(const Asked& asked) { return asked.facts.judgement->history; }

template <class Enumeration>
Words names() {
  return {kNames<Enumeration>.begin(), kNames<Enumeration>.end()};
}

Result<Value> makespan(const Asked& asked) {
  const trace::Run& run = asked.facts.run;
  return time(run.makespan ? run.makespan->median : asked.facts.analysis.makespan);
}
Result<Value> over_bound(const Asked& asked) {
  const double ratio = verdict::over_bound(*asked.facts.judgement);
  if (ratio <= 0) return not_known();
  return ratio;
}
// A model moves no data: there it is what no hazard leaves open.
Result<Value> verified(const Asked& asked) {
  const trace::Run& run = asked.facts.run;
  if (run.verified) return *run.verified;
  if (asked.facts.hazards > 0) return false;
  if (run.trace.provenance.kind == trace::Provenance::Kind::model) return true;
  const auto why = std::ranges::find(run.notes, trace::NoteKind::not_verified, &trace::Note::kind);
  // Where it was not asked for, the note says no more than that.
  if (why != run.notes.end() && why->text != tr("The data of this run was not checked."))
    return fail(ErrorKind::bad_input, why->text);
  return fail(ErrorKind::bad_input, tr("The data of this run was not checked. Run (Space) compares all data with what "
                                       "the CPU computes, where Verify is on."));
}

Result<Value> figure(const Asked& asked) {
  for (const analysis::Figure& each : analysis::figures(asked.facts.analysis)) {
    if (each.key != asked.word) continue;
    if (!each.value) return not_known();
    return each.unit == analysis::FigureUnit::rate ? *each.value / 1e9 : *each.value;
  }
  return not_known();
}
Words figure_keys() {
  Words keys;
  for (const analysis::Figure& each : analysis::figures({})) keys.push_back(each.key);
  return keys;
}

Result<Value> of_kind(const Asked& asked) {
  return count(static_cast<std::size_t>(std::ranges::count_if(
      asked.facts.run.trace.spans, [&](const trace::Span& each) { return name(each.kind) == asked.word; })));
}
Result<Value> use(const Asked& asked) {
  for (const analysis::EngineUse& each : asked.facts.analysis.engines)
    if (each.device == 0 && name(each.engine) == asked.word) return each.use;
  return not_known();
}
Words engines() { return {"h2d", "d2h", "compute"}; }

Result<Value> cause(const Asked& asked) {
  if (asked.facts.causes.empty()) return not_known();
  return std::string(verdict::name(asked.facts.causes.front()));
}
Result<Value> among_causes(const Asked& asked) {
  return std::ranges::any_of(asked.facts.causes,
                             [&](verdict::Cause each) { return verdict::name(each) == asked.word; });
}

Result<Value> elapsed_between_events(const Asked& asked) { return time(span(asked).elapsed); }
Result<Value> bytes(const Asked& asked) { return static_cast<double>(span(asked).bytes); }
Result<Value> rate(const Asked& asked) {
  const Nanoseconds took = elapsed(span(asked).start, span(asked).end);
  if (!known(took) || took <= 0) return not_known();
  return static_cast<double>(span(asked).bytes) / static_cast<double>(took);
}
Result<Value> occupancy(const Asked& asked) {
  const trace::KernelFacts* kernel = analysis::find_kernel(asked.facts.run.trace, asked.operation);
  if (kernel == nullptr) return not_known();
  return analysis::kernel_figures(*kernel, elapsed(span(asked).start, span(asked).end), asked.facts.run.trace.stages)
      .occupancy;
}
Result<Value> waited_inside(const Asked& asked) {
  const auto share = analysis::share_waited(asked.facts.run.trace.stages, asked.operation);
  if (!share) return not_known();
  return *share;
}
Result<Value> priority(const Asked& asked) {
  const trace::StreamAttributes* told = trace::attributes_of(asked.facts.run.trace.answers, asked.operation);
  if (told == nullptr) return not_known();
  return static_cast<double>(told->priority);
}

Result<Value> capture(const Asked& asked) {
  const trace::Answers& answers = asked.facts.run.trace.answers;
  if (const auto* told = trace::capture_info_of(answers, asked.operation)) return std::string(name_of(told->status));
  if (const auto* told = trace::attributes_of(answers, asked.operation)) return std::string(name_of(told->capture));
  return not_known();
}

// The name with the most time, of several the first; "none" where there is no time.
std::string longest(const std::map<std::string_view, Nanoseconds>& times) {
  const auto at = std::ranges::max_element(times, {}, [](const auto& each) { return each.second; });
  return at == times.end() ? "none" : std::string(at->first);
}
Result<Value> reason(const Asked& asked) {
  std::map<std::string_view, Nanoseconds> times;
  if (history(asked).executes(asked.operation)) {
    for (const verdict::Slice& each : verdict::slices(history(asked), asked.operation))
      if (each.cause != verdict::WaitCause::hand_over) times[name_of(each.cause)] += each.to - each.from;
  } else {
    for (const verdict::CallSlice& each : verdict::Calls(history(asked)).slices(asked.operation))
      if (each.cause != verdict::CallCause::usual) times[name_of(each.cause)] += each.to - each.from;
  }
  return longest(times);
}
Words reasons() {
  Words all = names<verdict::WaitCause>();
  std::erase(all, name_of(verdict::WaitCause::hand_over));
  for (const std::string_view each : names<verdict::CallCause>())
    if (each != name_of(verdict::CallCause::usual)) all.push_back(each);
  all.push_back("none");
  return all;
}
Result<Value> result(const Asked& asked) { return std::string(name(span(asked).result)); }

constexpr Type kOfTime{Sort::number, kTime}, kOfBytes{Sort::number, kBytes}, kOfRate{Sort::number, kRate},
    kCount{Sort::number, kNumber, Shown::count}, kShare{Sort::number, kNumber, Shown::share},
    kRatio{Sort::number, kNumber, Shown::ratio}, kText{Sort::text}, kTruth{Sort::truth};

#define OF_SPAN(expression) [](const Asked& asked) -> Result<Value> { return expression; }

constexpr Quantity kQuantities[] = {
    {"makespan", tr_later("makespan"), Takes::run, kOfTime,
     tr_later("From the first start to the last end of device work."), makespan},
    {"wall", tr_later("wall time"), Takes::run, kOfTime,
     tr_later("From the first call of the host to the return of its last."), OF_SPAN(median(asked.facts.run.wall))},
    {"serial", tr_later("serial time"), Takes::run, kOfTime,
     tr_later("The time of the same operations one after the other."), OF_SPAN(time(asked.facts.analysis.serial.time))},
    {"speed_up", tr_later("serial speed-up"), Takes::run, kRatio, tr_later("The serial time over the makespan."),
     OF_SPAN(asked.facts.analysis.serial_speed_up > 0 ? Result<Value>(asked.facts.analysis.serial_speed_up)
                                                      : not_known())},
    {"overlap", tr_later("overlap"), Takes::run, kShare,
     tr_later("The share of the makespan in which two or more copies or kernels run."),
     OF_SPAN(asked.facts.analysis.overlap)},
    {"hazards", tr_later("hazards"), Takes::run, kCount,
     tr_later("Pairs of operations on the same bytes without an order."), OF_SPAN(count(asked.facts.hazards))},
    {"errors", tr_later("failed calls"), Takes::run, kCount, tr_later("Calls that did not return cudaSuccess."),
     OF_SPAN(count(asked.facts.errors))},
    {"verified", tr_later("the data is right"), Takes::run, kTruth,
     tr_later("The data that came back is right; on a model, which moves none, that no hazard leaves it open."),
     verified},
    {"bound", tr_later("bound"), Takes::run, kOfTime, tr_later("What no schedule of these operations could beat."),
     OF_SPAN(
         time(verdict::binding(*asked.facts.judgement) ? verdict::binding(*asked.facts.judgement)->time : kAbsent))},
    {"over_bound", tr_later("makespan over the bound"), Takes::run, kRatio, tr_later("The makespan over that bound."),
     over_bound},
    {"figure",
     tr_later("figure"),
     Takes::word,
     {},
     tr_later("A figure of the run, by its key in the JSON's analysis."),
     figure,
     figure_keys},
    {"count", tr_later("number of operations"), Takes::word, kCount,
     tr_later("How many operations of that kind the run has."), of_kind, names<OperationKind>},
    {"use", tr_later("busy share"), Takes::word, kShare,
     tr_later("The share of the makespan in which that engine is busy."), use, engines},
    {"cause", tr_later("first cause"), Takes::run, kText, tr_later("The first cause that the verdict names."), cause,
     names<verdict::Cause>},
    {"causes", tr_later("the verdict names"), Takes::word, kTruth, tr_later("Whether the verdict names that cause."),
     among_causes, names<verdict::Cause>},
    {"called", tr_later("begin of the call"), Takes::operation, kOfTime, tr_later("When its host call began."),
     OF_SPAN(time(span(asked).host_begin))},
    {"returned", tr_later("return of the call"), Takes::operation, kOfTime, tr_later("When its host call returned."),
     OF_SPAN(time(span(asked).host_end))},
    {"call", tr_later("time in the call"), Takes::operation, kOfTime, tr_later("How long its host call took."),
     OF_SPAN(time(elapsed(span(asked).host_begin, span(asked).host_end)))},
    {"issued", tr_later("issue"), Takes::operation, kOfTime,
     tr_later("When the device had it: at the return of its call, or at its start where that came first."),
     OF_SPAN(time(history(asked).issued(asked.operation)))},
    {"ready", tr_later("all before it done"), Takes::operation, kOfTime,
     tr_later("When all that it depends on was done."), OF_SPAN(time(span(asked).ready))},
    {"start", tr_later("start"), Takes::operation, kOfTime, tr_later("When its execution began."),
     OF_SPAN(time(span(asked).start))},
    {"end", tr_later("end"), Takes::operation, kOfTime, tr_later("When its execution was over."),
     OF_SPAN(time(span(asked).end))},
    {"duration", tr_later("duration"), Takes::operation, kOfTime, tr_later("How long its execution took."),
     OF_SPAN(time(elapsed(span(asked).start, span(asked).end)))},
    {"queued", tr_later("time queued"), Takes::operation, kOfTime,
     tr_later("From when the device had it to its start."),
     OF_SPAN(time(elapsed(history(asked).issued(asked.operation), span(asked).start)))},
    {"waited", tr_later("time ready and waiting"), Takes::operation, kOfTime,
     tr_later("From ready to its start: its engine was busy."),
     OF_SPAN(time(elapsed(span(asked).ready, span(asked).start)))},
    {"bytes", tr_later("bytes"), Takes::operation, kOfBytes, tr_later("The bytes that it moves or works on."), bytes},
    {"rate", tr_later("bandwidth"), Takes::operation, kOfRate, tr_later("Those bytes over its duration."), rate},
    {"polls", tr_later("number of polls"), Takes::operation, kCount, tr_later("How often a poll asked."),
     OF_SPAN(count(span(asked).polls))},
    {"elapsed", tr_later("time between the events"), Takes::operation, kOfTime,
     tr_later("What cudaEventElapsedTime said."), elapsed_between_events},
    {"priority", tr_later("priority"), Takes::operation, kCount, tr_later("The priority that a stream was asked for."),
     priority},
    {"occupancy", tr_later("occupancy"), Takes::operation, kShare,
     tr_later("Of tiles and attention: the threads of their blocks over those "
              "that a multiprocessor holds."),
     occupancy},
    {"waited_inside", tr_later("share of time waiting inside"), Takes::operation, kShare,
     tr_later("Of tiles and attention, where blocks record what they do: the share of their time in which they wait."),
     waited_inside},
    {"reason", tr_later("longest wait"), Takes::operation, kText,
     tr_later("What it waited for longest: of device work until its start, of a call of the host until its return."),
     reason, reasons},
    {"error", tr_later("what the call returned"), Takes::operation, kText,
     tr_later("What a call that asks returned, or the status that a callback was given."), result, names<CallResult>},
    {"capture", tr_later("capture status"), Takes::operation, kText,
     tr_later("Whether a stream was being captured, as its asker was told."), capture, names<trace::CaptureStatus>},
};

#undef OF_SPAN

bool is_unchecked(const Expression& one, const Scope& scope) {
  if (one.quantity->of != verified) return false;
  const auto named = scope.runs.find(one.run);
  const RunFacts* const facts = one.run.empty()             ? scope.at_hand
                                : named == scope.runs.end() ? nullptr
                                                            : named->second.get();
  return facts != nullptr && facts->run.trace.provenance.kind == trace::Provenance::Kind::model &&
         !facts->run.verified && facts->hazards == 0;
}

}  // namespace

std::span<const Quantity> quantities() { return kQuantities; }

bool asks_unchecked_data(const Expression& relation, const Scope& scope) {
  bool any = false;
  each_quantity(relation, [&](const Expression& one) { any = any || is_unchecked(one, scope); });
  return any;
}

const Quantity* quantity_named(std::string_view name) {
  const auto at = std::ranges::find(kQuantities, name, &Quantity::name);
  return at == std::end(kQuantities) ? nullptr : &*at;
}

Type type_of(const Quantity& quantity, std::string_view word) {
  if (quantity.of != figure) return quantity.type;
  for (const analysis::Figure& each : analysis::figures({})) {
    if (each.key != word) continue;
    switch (each.unit) {
      case analysis::FigureUnit::time: return kOfTime;
      case analysis::FigureUnit::share: return kShare;
      case analysis::FigureUnit::ratio: return kRatio;
      case analysis::FigureUnit::bytes: return kOfBytes;
      case analysis::FigureUnit::rate: return kOfRate;
    }
  }
  return {};
}

}  // namespace streamscope::lesson
