// Entries as text: for the terminal, for documents, as man pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/help/help.h"

namespace streamscope::help {

inline constexpr std::size_t kWidth = 80;  // columns of a terminal

// One entry, whole.
std::string as_text(const Entry& entry);
// "wait            word of the language: Makes the stream wait ...", in one line.
std::string as_line(const Entry& entry);
// What was found for the word, or what comes near; ends in a line end.
std::string as_text(const Found& found, std::string_view word);

// Parts of pages of docs/; what is between their marks. `entries`: all there are.
std::string language_page(const Entries& entries);
std::string command_line_page(const Entries& entries);  // commands, options, keys of an experiment
std::string glossary_page(const Entries& entries);
// A page by name: language, command-line, glossary; nothing for another name.
std::string page(const Entries& entries, std::string_view name);

// streamscope(1) and streamscope-language(7), in man macros. `version`: "0.1.0".
std::string man_page(const Entries& entries, std::string_view version);
std::string language_man_page(const Entries& entries, std::string_view version);

}  // namespace streamscope::help
