// Help as values: an entry for each thing that has a name. Each entry is made from the table that describes the thing
// itself; terminal, window, documents and man pages all show these.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/name_table.h"

namespace streamscope::help {

// In the order in which they are shown, where a word has several meanings.
enum class Kind : std::uint8_t {
  statement,         // of the language, with kernels
  statement_option,  // `nonblocking`
  notion,            // of the language, but no statement: `default`, ranges, sizes
  experiment_key,
  command,
  option,  // of the command line
  exit_code,
  variable,  // of the environment
  key,       // of the keyboard, or a gesture of the mouse
  instrument,
  wait_reason,
  cause,   // of a run's time: the verdict's
  term,    // the field's words
  figure,  // of the summary and the files
  profile_key,
  lesson,
  experiment,
  program,  // those that come with the program
};

}  // namespace streamscope::help

// In files, whatever language is spoken.
template <>
inline constexpr streamscope::NameTable<18> streamscope::kNames<streamscope::help::Kind>{
    "statement", "statement_option", "notion",      "experiment_key", "command",     "option",
    "exit_code", "variable",         "key",         "instrument",     "wait_reason", "cause",
    "term",      "figure",           "profile_key", "lesson",         "experiment",  "program"};

namespace streamscope::help {

// "word of the language"; `of`: Entry::of.
std::string what(Kind kind, std::string_view of = {});

struct Entry {
  Kind kind = Kind::term;
  std::string word = {};                   // "stream", "--png", "kernel.fma", "Ctrl E"
  std::vector<std::string> also = {};      // other words that it is called by, as a whole
  std::vector<std::string> keywords = {};  // of what comes with the program: what it shows, in several languages; of
                                           // the others: what they are called in these
  std::string of = {};                     // what it belongs to: "buffer", "run"; may be empty
  std::string sentence = {};               // what it is or does; never empty
  std::string syntax = {};
  std::string unit = {}, standard = {}, range = {};  // of a value; `standard`: where it is left out
  std::vector<std::string> calls = {};               // of CUDA
  std::string text = {};                             // more, in lines of any length
  std::string example = {};                          // a whole stream program, or a command line
  std::vector<std::string> see = {};                 // words of other entries
};
using Entries = std::vector<Entry>;

// Lessons, experiments and programs: a file that shows what its keywords say.
constexpr bool comes_along(const Entry& entry) { return entry.kind >= Kind::lesson; }

// With a full stop behind, unless a mark of any language ends it.
std::string with_full_stop(std::string text);

}  // namespace streamscope::help
