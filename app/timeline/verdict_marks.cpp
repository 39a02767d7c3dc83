#include "app/timeline/verdict_marks.h"

namespace streamscope::timeline {

VerdictMarks verdict_marks(const trace::Trace& trace, const Tracks& tracks, const verdict::Judgement& judgement) {
  std::vector<bool> meant(trace::span_count(trace));
  for (const verdict::Piece& piece : judgement.path.pieces)
    if (piece.operation < meant.size()) meant[piece.operation] = true;
  return {path_line(trace, tracks, judgement.path), search_highlight(tracks, meant), rulers(judgement),
          queue_depths(judgement.history)};
}

}  // namespace streamscope::timeline
