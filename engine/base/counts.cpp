#include "engine/base/counts.h"

namespace streamscope {

std::string with_commas(std::uint64_t number) {
  std::string out = std::to_string(number);
  for (std::size_t at = out.size(); at > 3;) out.insert(at -= 3, ",");
  return out;
}

}  // namespace streamscope
