// The bytes as a profile of a device. What can be read is written, and that is the same profile.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/device/model/profile/profile_file.h"
#include "tests/fuzz/insist.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace streamscope;
  const auto read = model::parse_profile({reinterpret_cast<const char*>(data), size}, "f", "id");
  if (!read) {
    fuzz::insist_on_place(read.error());
    return 0;
  }
  const std::string written = model::write_profile(*read, "");
  const auto again = model::parse_profile(written, "f", "id");
  fuzz::insist(again.has_value() && model::write_profile(*again, "") == written);
  return 0;
}
