#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace streamscope::experiment {

// A key=value of --set: "streams=8", "kernel.fma=128", "chunk=4MiB".
struct Setting {
  std::string key, value;
};
Result<Setting> parse_setting(std::string_view text);

}  // namespace streamscope::experiment
