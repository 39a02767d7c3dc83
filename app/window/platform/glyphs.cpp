#include "app/window/platform/glyphs.h"

#include "app/window/panels/languages.h"
#include "engine/base/catalogue_letters.h"

namespace streamscope::window {

Letters::Letters() {
  add_letters(catalogue_letters(), letters_);
  for (const lesson::Language each : kSpoken) add_letters(own_name(each), letters_);
}

bool Letters::follow(const State& state) {
  const std::size_t before = letters_.size();
  const auto see = [&](std::string_view text) { add_letters(text, letters_); };
  if (state.runs.shown != shown_) {
    shown_ = state.runs.shown;
    if (shown_) {
      const trace::Trace& trace = shown_->run->trace;
      for (const std::string& each : trace.names) see(each);
      for (const std::string& each : trace.threads) see(each);
      for (const trace::StreamInfo& each : trace.streams) see(each.name);
      for (const trace::Note& each : shown_->run->notes) see(each.text);
      see(shown_->label);
      see(trace.provenance.device);
    }
  }
  if (state.editing.version != version_) {
    version_ = state.editing.version;
    see(state.editing.program);
    see(state.editing.experiment_name);
    see(state.editing.own_program ? state.editing.own.content.about : state.editing.experiment.about);
  }
  if (state.readings.search != search_) see(search_ = state.readings.search);
  if (state.workspace.palette_words != palette_words_) see(palette_words_ = state.workspace.palette_words);
  if (state.help.search != help_search_) see(help_search_ = state.help.search);
  if (state.status.text != said_) see(said_ = state.status.text);
  if (state.runs.names.size() != names_ || state.editing.shipped.size() != shipped_) {
    names_ = state.runs.names.size();
    shipped_ = state.editing.shipped.size();
    for (const auto& [number, name] : state.runs.names) see(name);
    for (const experiment::Shipped& each : state.editing.shipped) see(each.name + each.title + each.sentence);
  }
  if (state.lesson.all.size() != lessons_) {
    lessons_ = state.lesson.all.size();
    for (const lesson::Listed& each : state.lesson.all) see(each.title + each.about);
  }
  if (state.lesson.open && state.lesson.open != lesson_) {
    lesson_ = state.lesson.open;
    for (const auto& words : lesson_->words)
      if (words) see(all_text(*words));
  }
  return letters_.size() != before;
}

}  // namespace streamscope::window
