#include "engine/lesson/run_facts.h"

#include <algorithm>
#include <utility>

#include "engine/base/translate.h"
#include "engine/program/order/order.h"
#include "engine/program/read_program.h"
#include "engine/remedy/explain_run.h"
#include "engine/trace/call_result.h"

namespace streamscope::lesson {

Result<SharedFacts> facts_of(trace::Run run, bool with_causes, const StopFlag& stop) {
  auto facts = std::make_shared<RunFacts>();
  facts->run = std::move(run);
  auto read = TRY(program::read_program(facts->run.program, tr("the run's program")));
  facts->program = std::move(read.program);
  facts->tags = tags_of(facts->run.program);
  const program::Program& program = facts->program;
  const trace::Trace& trace = facts->run.trace;
  if (trace.spans.size() != program.operations.size())
    return fail(ErrorKind::bad_input,
                tr("the run has {} spans, its program {} operations", trace.spans.size(), program.operations.size()));
  facts->analysis = analysis::analyse(facts->run);
  program::scan_hazards(program, [&](const program::Hazard&) {
    ++facts->hazards;
    return true;
  });
  facts->errors = static_cast<std::size_t>(std::ranges::count_if(trace.spans, trace::call_failed));
  facts->judgement = std::make_unique<verdict::Judgement>(verdict::judge(trace, &program, facts->run.alone));
  if (with_causes) {
    const auto explained = TRY(remedy::explain_run(facts->run, stop));
    for (const remedy::Entry& entry : explained->verdict.entries) facts->causes.push_back(entry.cause);
  }
  return SharedFacts(std::move(facts));
}

}  // namespace streamscope::lesson
