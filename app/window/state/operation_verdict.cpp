#include "app/window/state/operation_verdict.h"

#include <algorithm>

#include "app/window/state/verdict_words.h"
#include "engine/trace/packed_spans.h"
#include "engine/verdict/execution_slices.h"

namespace streamscope::window {

OperationVerdict operation_verdict(const RunVerdict& verdict, OperationIndex operation) {
  OperationVerdict out;
  for (const verdict::Slice& each : slices_of(verdict, operation))
    out.waited.push_back({in_words(each.cause), each.to - each.from, each.by, each.certain});
  if (verdict.explained == nullptr || operation == kNoOperation) return out;
  const std::optional<std::size_t> place = trace::find_index(verdict.run->trace, operation);
  const verdict::Judgement& judgement = *verdict.explained->judgement;
  if (!place || *place >= judgement.history.size()) return out;
  const auto index = static_cast<OperationIndex>(*place);
  const auto named = [&](OperationIndex at) {
    return at == kNoOperation ? kNoOperation : judgement.history.span(at).operation;
  };
  const auto all_as_usual = [](const std::vector<Charge>& charges, const std::string& usual) {
    return std::ranges::all_of(charges, [&](const Charge& each) { return each.what == usual; });
  };
  for (const verdict::ExecutionPart& each : verdict::execution_parts(judgement, index))
    out.slowed.push_back({in_words(each.cause), each.time, named(each.by), each.certain});
  if (all_as_usual(out.slowed, in_words(verdict::SlowCause::alone))) out.slowed.clear();
  if (verdict.calls != nullptr)
    for (const verdict::CallSlice& each : verdict.calls->slices(index))
      out.called.push_back({in_words(each.cause), each.to - each.from, named(each.by), each.certain});
  if (all_as_usual(out.called, in_words(verdict::CallCause::usual))) out.called.clear();
  if (index < verdict.slack.size()) out.slack = verdict.slack[index];
  return out;
}

}  // namespace streamscope::window
