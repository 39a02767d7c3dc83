// What the words of the language mean, for people: help, the documents and the editor read it. The kernels' stand in
// kernels/, beside each of them.
#pragma once

#include <span>
#include <string_view>

#include "engine/program/syntax/grammar.h"

namespace streamscope::program {

// Texts are looked up in the catalogue of messages where they are shown. Each `example` is a whole program that runs.
struct WordHelp {
  std::string_view word = {};
  std::string_view name = {};      // what the names behind it stand for, in the syntax: "EVENT", "STREAM|EVENT"
  std::string_view calls = {};     // CUDA's, ", " between them; empty: none
  std::string_view sentence = {};  // one, of what it does
  std::string_view text = {};      // more, where there is more to say; in paragraphs
  std::string_view example = {};
  std::string_view see = {};   // other words, ", " between them
  std::string_view also = {};  // what others call it, ", " between them
};

// Of a statement; of a kernel's null.
const WordHelp* help(const grammar::Form& form);

// What is written in statements but begins none: names with a meaning, ranges, sizes, arithmetic. `word` is one of its
// `words`, ", " between them; the first is its title.
struct NotionHelp {
  std::string_view words;
  std::string_view syntax;
  WordHelp help;
};
std::span<const NotionHelp> notions();

// How a statement is written: "STREAM: prefetch RANGE to=device|host". Also of a kernel.
std::string syntax_of(const grammar::Form& form);

}  // namespace streamscope::program
