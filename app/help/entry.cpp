#include "app/help/entry.h"

#include <algorithm>
#include <array>

#include "engine/base/translate.h"

namespace streamscope::help {

std::string what(Kind kind, std::string_view of) {
  switch (kind) {
    case Kind::statement: return tr("word of the language");
    case Kind::statement_option: return tr("option of `{}` in the language", of);
    case Kind::notion: return tr("of the language");
    case Kind::experiment_key: return tr("key of an experiment");
    case Kind::command: return tr("command");
    case Kind::option: return of.empty() ? tr("option of the window") : tr("option of `streamscope {}`", of);
    case Kind::exit_code: return tr("exit code");
    case Kind::variable: return tr("variable of the environment");
    case Kind::key: return tr("key in the window");
    case Kind::instrument: return tr("instrument");
    case Kind::wait_reason: return tr("reason for a wait");
    case Kind::cause: return tr("cause of a run's time");
    case Kind::figure:
      if (of.empty()) return tr("figure");
      if (of == "run") return tr("at the top of a run's JSON; see docs/formats.md");
      // The rows of a CSV file have what spans have, and where their times come from.
      return of == "spans" || of == "provenance" ? tr("in `{}` of JSON, and in CSV", of) : tr("in `{}` of JSON", of);
    case Kind::profile_key: return tr("number of a model's profile");
    case Kind::term: return tr("term");
    case Kind::lesson: return tr("lesson");
    case Kind::experiment: return tr("experiment that comes with Streamscope");
    case Kind::program: return tr("stream program that comes with Streamscope");
  }
  return {};
}

std::string with_full_stop(std::string text) {
  constexpr std::array<std::string_view, 8> kEnds{".", "!", "?", "\u3002", "\uff0e", "\uff01", "\uff1f", "\u2026"};
  const bool ends = std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return text.ends_with(end); });
  return text.empty() || ends ? text : tr("{}.", text);
}

}  // namespace streamscope::help
