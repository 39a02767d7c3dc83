// An option of a command as data.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace streamscope::cli {

// Where the value of an option goes. A list grows by one each time the option is written; a truth is one that needs no
// value.
using Target = std::variant<std::string*, std::vector<std::string>*, std::size_t*, bool*>;

struct Option {
  // "--png", "-o,--output"; without dashes an argument, known by its place; "!--no-probes" makes a truth false;
  // "--predict{auto}" needs no value, and has that one then.
  std::string_view names;
  Target target;
  std::string meaning;       // in --help
  std::string_view value{};  // in --help: what stands for the value, such as "KEY=VALUE"
  bool required = false;
  bool hidden = false;  // not in --help
  bool many = false;    // of a list: takes all words up to the next option
};

}  // namespace streamscope::cli
