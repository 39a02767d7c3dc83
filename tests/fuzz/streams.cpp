// The bytes as a stream program. What can be read is printed, and the print is the same program.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/program/read_program.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"
#include "tests/fuzz/insist.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace streamscope;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = program::read_program(text, "f");
  if (!read) {
    fuzz::insist_on_place(read.error());
    return 0;
  }
  const std::string printed = program::print(program::parse(text).syntax);
  const auto again = program::read_program(printed, "f");
  fuzz::insist(again.has_value() && again->program.operations.size() == read->program.operations.size());
  fuzz::insist(program::print(program::parse(printed).syntax) == printed);
  return 0;
}
