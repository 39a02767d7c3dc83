#include "app/timeline/path_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {

using verdict::PieceKind;

std::string_view words_of(PieceKind kind) {
  switch (kind) {
    case PieceKind::execution: return tr("execution");
    case PieceKind::hand_over: return tr("hand-over");
    case PieceKind::call: return tr("host calls");
    case PieceKind::work: return tr("host work");
    case PieceKind::wait: return tr("waiting for the gate");
    case PieceKind::wake: return tr("the host's waking");
    case PieceKind::between_calls: return tr("between host calls");
    case PieceKind::thread_start: return tr("start of a thread");
    case PieceKind::unexplained: break;
  }
  return tr("unexplained");
}

std::vector<PathShare> path_shares(const verdict::Path& path) {
  std::array<Nanoseconds, kNames<PieceKind>.size()> times{};
  Nanoseconds all = 0;
  for (const verdict::Piece& piece : path.pieces) {
    times[static_cast<std::size_t>(piece.kind)] += piece.to - piece.from;
    all += piece.to - piece.from;
  }
  std::vector<PathShare> out;
  if (all <= 0) return out;
  // In whole percents, rounded down, and what that cut off, as part of one.
  std::vector<std::pair<double, std::size_t>> cut;
  int left = 100;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] <= 0) continue;
    const double exact = 100 * static_cast<double>(times[i]) / static_cast<double>(all);
    const int whole = static_cast<int>(exact);
    cut.push_back({exact - whole, out.size()});
    out.push_back({static_cast<PieceKind>(i), times[i], whole});
    left -= whole;
  }
  std::ranges::stable_sort(cut, std::greater{}, &std::pair<double, std::size_t>::first);
  for (std::size_t i = 0; i < cut.size() && left > 0; ++i, --left) ++out[cut[i].second].percent;
  std::ranges::stable_sort(out, std::greater{}, &PathShare::time);
  return out;
}

std::string path_shares_text(const verdict::Path& path, PathTimes times) {
  std::string out;
  for (const PathShare& share : path_shares(path)) {
    if (times == PathTimes::left_out && share.percent == 0) continue;
    const std::string_view kind = words_of(share.kind);
    out += out.empty() ? "" : ", ";
    out += times == PathTimes::shown ? fmt::format("{} {} ({} %)", kind, display_duration(share.time), share.percent)
                                     : fmt::format("{} {} %", kind, share.percent);
  }
  return out;
}

}  // namespace streamscope::timeline
