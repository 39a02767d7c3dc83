// The text files that a run is written as. A new one is a source of its own and a line in formats.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/trace/trace.h"

namespace streamscope::output {

struct Format {
  std::string_view option;   // of `run`: "--csv"
  std::string_view meaning;  // in --help
  bool of_spans = false;     // it has nothing to say of a run without spans
  std::string (*write)(const trace::Run& run) = nullptr;
};
std::span<const Format> formats();

}  // namespace streamscope::output
