// What a reader of a run must know besides its times: a sentence for people, and its kind for programs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/name_table.h"

namespace streamscope::trace {

enum class NoteKind : std::uint8_t {
  other,
  model,            // what a model leaves out, or is made of
  prediction,       // what a prediction rests on
  no_prediction,    // one was asked for: why there is none
  not_verified,     // why the data was not checked
  wrong_data,       // where the data differs
  observer_effect,  // why it has no figure
  stop_rule,        // what ended the runs
  stopped,          // a person did
  sampling,         // what merging and choosing among passes did
  stages,           // of what happens inside kernels, what is missing
  gpu,              // what else happened on the GPU
  instrument,       // what observing could not see
  file,             // of an opened file
  preview,          // the run goes on
  warning,          // of the check of a program or of an experiment
  contradiction,    // which of its times cannot all be true
};

struct Note {
  NoteKind kind = NoteKind::other;
  std::string text;  // whole sentences
  friend bool operator==(const Note&, const Note&) = default;
};
using Notes = std::vector<Note>;

// The first of that kind; null where there is none.
inline const Note* first_of(const Notes& notes, NoteKind kind) {
  const auto at = std::find_if(notes.begin(), notes.end(), [&](const Note& note) { return note.kind == kind; });
  return at == notes.end() ? nullptr : &*at;
}

inline std::vector<std::string> texts(const Notes& notes) {
  std::vector<std::string> all;
  for (const Note& note : notes) all.push_back(note.text);
  return all;
}

}  // namespace streamscope::trace

template <>
inline constexpr streamscope::NameTable<17> streamscope::kNames<streamscope::trace::NoteKind>{
    "other",           "model",     "prediction", "no_prediction", "not_verified", "wrong_data",
    "observer_effect", "stop_rule", "stopped",    "sampling",      "stages",       "gpu",
    "instrument",      "file",      "preview",    "warning",       "contradiction"};
