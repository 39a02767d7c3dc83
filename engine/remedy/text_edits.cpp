#include "engine/remedy/text_edits.h"

#include <algorithm>

namespace streamscope::remedy {
namespace {

using enum verdict::Cause;

// Which causes each kind answers.
struct Answer {
  std::vector<verdict::Cause> causes;
  EditKind* edits;
};
const std::vector<Answer>& answers() {
  static const std::vector<Answer> all{
      {{pageable_copy}, pinned_memory},
      {{implicit_sync, pool_reuse}, allocations},
      {{implicit_sync, driver_lock, host_late}, registered_memory},
      {{legacy_barrier}, legacy_stream},
      {{host_sync}, host_waits},
      {{host_sync}, blocking_copies},
      {{host_late}, gather_in_graph},
      {{event_needless, event_late}, events},
      {{graph_serial}, second_graph},
      {{page_migration}, prefetch},
      {{peer_staged}, peer_access},
      {{copy_engine_shared, issue_order}, breadth_first},
      {{copy_engine_shared, issue_order}, depth_first},
      {{copy_engine_shared, issue_order}, turns_in_reverse},
      {{copy_engine_shared, issue_order}, other_orders},
      {{chunks_too_small}, larger_chunks},
      {{chunks_too_large}, smaller_chunks},
      {{one_stream}, more_streams},
      {{one_stream}, apart_by_data},
      {{priority}, priorities},
      {{sm_full}, fewer_blocks},
      {{tile_stages}, more_stages},
      {{tile_stages}, own_choice_of_copies},
      {{divergence}, converged},
  };
  return all;
}

}  // namespace

TextEdits text_edits(const program::Syntax& syntax, const std::vector<verdict::Cause>& causes) {
  const auto wanted = [&](verdict::Cause cause) { return std::ranges::find(causes, cause) != causes.end(); };
  TextEdits edits;
  for (const Answer& each : answers()) {
    if (std::ranges::any_of(each.causes, wanted)) each.edits(syntax, edits);
  }
  // Of an order of issue the shared engine is the cause, where there is one.
  for (TextEdit& each : edits) {
    if (each.cause == verdict::Cause::issue_order && wanted(copy_engine_shared)) each.cause = copy_engine_shared;
  }
  return edits;
}

}  // namespace streamscope::remedy
