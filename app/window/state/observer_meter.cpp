#include "app/window/state/observer_meter.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

Meter not_known(std::string why) {
  return {Meter::Level::unknown, std::nullopt, tr("not known"), tr("Observer effect: not known. {}", why)};
}

std::string advice(Meter::Level level, const trace::Run& run, bool within_noise) {
  const bool sampled = run.trace.provenance.instrument == device::name(device::Instrument::sampled);
  switch (level) {
    case Meter::Level::unknown: return {};
    case Meter::Level::small:
      return within_noise ? tr("No cost can be made out: the runs differ by more.")
                          : tr("The times in view are those of a run that is hardly disturbed.");
    case Meter::Level::notable:
      return sampled ? tr("The times in view are somewhat longer than those of an undisturbed run: a smaller share "
                          "disturbs less.")
                     : tr("The times in view are somewhat longer than those of an undisturbed run: larger chunks are "
                          "disturbed less.");
    case Meter::Level::large:
      return sampled
                 ? tr("The run in view is not the one that happens without the instrument: watch a smaller share, or "
                      "take larger chunks.")
                 : tr("The run in view is not the one that happens without the instrument: take larger chunks, or see "
                      "whether another instrument costs less.");
  }
  return {};
}

}  // namespace

Meter meter(const State& state) {
  if (!state.runs.shown) return not_known(tr("There is no run yet."));
  const ShownRun& shown = *state.runs.shown;
  const trace::Run& run = *shown.run;
  if (run.trace.provenance.kind == trace::Provenance::Kind::model)
    return not_known(tr("A model is not disturbed by being watched."));
  if (shown.number == 0) return not_known(tr("This run goes on."));
  if (run.trace.provenance.instrument == device::name(device::Instrument::bare))
    return not_known(tr("Bare runs carry no instrument."));
  const auto found = run.observer_effect ? run.observer_effect : effect(state.running.pairs, shown.subject);
  if (!found || !std::isfinite(found->median) || found->median <= 0) {
    const std::size_t pairs = state.running.pairs.subject == shown.subject ? state.running.pairs.bare.size() : 0;
    if (pairs == 0)
      return not_known(
          tr("No bare runs were made with this one, so that it came at once. Press Run for figures with them."));
    return not_known(
        tr("Too few pairs of an instrumented and a bare run so far: {} of {}.", pairs, trace::kFewestPairs));
  }
  Meter out;
  out.effect = found;
  out.level = found->median > kLarge     ? Meter::Level::large
              : found->median > kNotable ? Meter::Level::notable
                                         : Meter::Level::small;
  out.figure = tr("{:.3f} ×  ({:.3f} to {:.3f})", found->median, found->low, found->high);
  out.meaning = tr(
      "Observer effect: wall time with the instrument {} over wall time without any. Median and quartiles of {} pairs "
      "of runs, one beside the other{}.\n{}",
      run.trace.provenance.instrument, found->pairs,
      run.observer_effect ? "" : tr(", from short runs of the same program"), advice(out.level, run, found->low <= 1));
  if (run.stage_effect)
    out.meaning += tr(
        "\nIn-kernel: {:.3f} ×  ({:.3f} to {:.3f}), the time in kernels whose blocks record their stages over the time "
        "in the same kernels when none does; {} pairs.",
        run.stage_effect->median, run.stage_effect->low, run.stage_effect->high, run.stage_effect->pairs);
  return out;
}

}  // namespace streamscope::window
