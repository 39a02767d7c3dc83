// The bytes as an experiment. What can be read is written as TOML, and that is the same experiment.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/experiment/experiment_file.h"
#include "engine/experiment/read_input.h"
#include "tests/fuzz/insist.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace streamscope;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto read = experiment::read_input({"f", "f.toml", text}, {});
  if (!read) {
    fuzz::insist_on_place(read.error());
    return 0;
  }
  const auto again = experiment::read_input({"f", "f.toml", read->experiment}, {});
  fuzz::insist(again.has_value() && again->program == read->program);
  return 0;
}
