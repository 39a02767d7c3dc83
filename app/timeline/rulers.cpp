#include "app/timeline/rulers.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

Ruler ruler_of(const verdict::Judgement& judgement, const verdict::Bound& bound) {
  Ruler out;
  const bool host = bound.kind == verdict::BoundKind::host;
  out.at = (host ? 0 : judgement.path.pieces.front().from) + bound.time;
  out.uncertainty = bound.uncertainty;
  out.name = fmt::format("{} {}", bound_name(judgement, bound), display_duration(bound.time));
  out.binds = &bound == verdict::binding(judgement);
  const auto of_kind = [&](OperationKind kind) {
    out.colour = colour(kind);
    out.has_colour = true;
  };
  if (host) of_kind(OperationKind::work);
  if (bound.kind == verdict::BoundKind::engine) {
    switch (bound.engine.engine) {
      case Engine::h2d: of_kind(OperationKind::h2d); break;
      case Engine::d2h: of_kind(OperationKind::d2h); break;
      case Engine::compute: of_kind(OperationKind::kernel); break;
      case Engine::host: of_kind(OperationKind::hostfn); break;
      case Engine::peer: of_kind(OperationKind::peer); break;
      case Engine::none: break;
    }
  }
  return out;
}

}  // namespace

std::string bound_name(const verdict::Judgement& judgement, const verdict::Bound& bound) {
  const std::string where = trace::of_device(judgement.history.trace(), bound.engine.device);
  switch (bound.kind) {
    case verdict::BoundKind::engine: return std::string(tr(words_of(bound.engine.engine).text)) + where;
    case verdict::BoundKind::bus: return tr("bus") + where;
    case verdict::BoundKind::order: return tr("order");
    case verdict::BoundKind::host: break;
  }
  return tr("host");
}

std::vector<Ruler> rulers(const verdict::Judgement& judgement) {
  std::vector<Ruler> out;
  if (judgement.path.pieces.empty()) return out;
  for (const verdict::Bound& bound : judgement.bounds)
    if (bound.time > 0) out.push_back(ruler_of(judgement, bound));
  std::ranges::stable_sort(out, {}, &Ruler::at);
  return out;
}

}  // namespace streamscope::timeline
