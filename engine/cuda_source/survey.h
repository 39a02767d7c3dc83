// What is known of a program's text before it is written as C++: which loops can stay loops, and where comments belong.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda_source/names.h"

namespace streamscope::cuda_source {

struct Survey {
  bool wide = false;  // 32 bits are too few for the arithmetic of loops
  // Loops in which a name is no place in an array or one of things that differ in more than their number, a name stands
  // for one variable and then for another, the current device changes, or an option that decides the text of a kernel
  // differs from pass to pass.
  std::set<const program::syntax::Statement*> written_out;
  std::set<const Named*> captured_too;  // events that graphs record as well as others do
  // By GraphId: the statement that declares it, and the variables of the repeats around that.
  struct Graph {
    const program::syntax::Statement* statement = nullptr;
    Variables variables;
  };
  std::vector<Graph> graphs;
  std::map<const Named*, std::uint32_t> first_line;  // that names it
  // Comments, "// text" each: before the first statement, above each one, and above a declaration by its line.
  std::vector<std::string> header;
  std::map<const program::syntax::Statement*, std::vector<std::string>> above;
  std::map<std::uint32_t, std::vector<std::string>> above_line;
};
// It refers to the statements and the names.
Survey survey(const program::Syntax& syntax, const program::Program& program, const Names& names);

bool declares(program::syntax::Verb verb);           // buffers, streams, events
std::string comment_text(std::string_view comment);  // "# text" as C++ has it; empty where there is none

}  // namespace streamscope::cuda_source
