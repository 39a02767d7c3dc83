// A profile as TOML (assets/devices/*.toml).
//
// Each number is a table { value = ..., origin = "measured" | "datasheet" | "assumed" }. Units are in the value
// ("1500ns", "64KiB", "55.5GB/s", "1980MHz"); counts and shares are plain numbers. Times by size are lists of points
// { size = "64KiB", time = "5us", origin = ... } or { size = "64KiB", rate = "12.9GB/s", origin = ... }.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/device/model/profile/profile.h"

namespace streamscope::model {

// Error bad_input: everything that is wrong, one "file:line:column: ..." per line.
Result<Profile> parse_profile(std::string_view toml, std::string_view file, std::string_view id);
// parse_profile() gives the same profile again. `head` is a comment at the top: where it was measured, and when.
std::string write_profile(const Profile& profile, std::string_view head);

}  // namespace streamscope::model
