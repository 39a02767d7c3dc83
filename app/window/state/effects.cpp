#include "app/window/state/effects.h"

#include <iterator>
#include <utility>

namespace streamscope::window {

Effects& Effects::operator+=(Effects later) {
  const auto replace = [](auto& by_then, auto& now) {
    if (now) by_then = std::move(now);
  };
  if (later.drop_run) run.reset();
  if (later.drop_verdict) verdict.reset();
  // What was asked for first has waited longest.
  if (later.run && run && known(run->asked)) later.run->asked = run->asked;
  stop |= later.stop, restart |= later.restart, check |= later.check, drop_verdict |= later.drop_verdict;
  // A lesson's own runs can wait.
  if (later.run && later.run->purpose == RunFor::lesson && run) later.run.reset();
  replace(run, later.run);
  replace(exported, later.exported);
  replace(open, later.open);
  replace(list, later.list);
  replace(own_code, later.own_code);
  replace(own_measured, later.own_measured);
  replace(save, later.save);
  replace(cuda, later.cuda);
  replace(combine, later.combine);
  replace(pair, later.pair);
  replace(verdict, later.verdict);
  replace(copy, later.copy);
  replace(clipboard, later.clipboard);
  std::move(later.sweep_results.begin(), later.sweep_results.end(), std::back_inserter(sweep_results));
  replace(extras, later.extras);
  replace(arguments, later.arguments);
  replace(lesson, later.lesson);
  replace(answers, later.answers);
  std::move(later.lesson_runs.begin(), later.lesson_runs.end(), std::back_inserter(lesson_runs));
  std::move(later.gallery_pictures.begin(), later.gallery_pictures.end(), std::back_inserter(gallery_pictures));
  std::move(later.prepare.begin(), later.prepare.end(), std::back_inserter(prepare));
  return *this;
}

}  // namespace streamscope::window
