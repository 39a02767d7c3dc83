#include "engine/analysis/second_opinion.h"

#include "engine/base/translate.h"

namespace streamscope::analysis {

SecondOpinion second_opinion(const trace::Referee& referee) {
  if (referee.passes == 0) return {tr("none: {}", referee.why_not), tr("Bars are as certain as they state."), false};
  SecondOpinion said;
  said.contradicts = referee.contradicted > 0;
  said.detail = tr_n("{}'s records of {} other pass were compared.", "{}'s records of {} other passes were compared.",
                     static_cast<unsigned long>(referee.passes), referee.by, referee.passes);
  said.verdict =
      said.contradicts
          ? tr_n("contradicts {} of {}: its doubt is widened", "contradicts {} of {}: their doubt is widened",
                 referee.contradicted, referee.contradicted, referee.compared)
      : referee.compared == 0 ? tr("has no record of any bar")
                              : tr_n("agrees with {} bar", "agrees with {} bars", referee.compared, referee.compared);
  return said;
}

}  // namespace streamscope::analysis
