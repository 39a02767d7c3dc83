// Which bytes of a managed buffer are on the device: they migrate to whichever side touches them.
#pragma once

#include <cstdint>
#include <map>

namespace streamscope::model {

class PageResidency {
 public:
  // Afterwards the whole range is there; returns how many of its bytes had to move.
  std::uint64_t move_to_device(std::uint64_t offset, std::uint64_t bytes);
  std::uint64_t move_to_host(std::uint64_t offset, std::uint64_t bytes);

 private:
  std::uint64_t cut_out(std::uint64_t begin, std::uint64_t end);

  std::map<std::uint64_t, std::uint64_t>
      on_device_;  // begin to end, apart from each other; at first all is on the host
};

}  // namespace streamscope::model
