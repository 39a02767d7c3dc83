// How many processor cores this process may keep busy at once: fewer than there are where it is bound to some of them,
// or a control group allows it only a part of the time, as containers do.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace streamscope::cuda {

// What a control group allows, in cores; nothing: no limit, or no such text. The text of `cpu.max` (version 2), and of
// `cpu.cfs_quota_us` and `cpu.cfs_period_us` (version 1).
std::optional<double> cores_of_quota(std::string_view cpu_max);
std::optional<double> cores_of_quota(std::string_view quota, std::string_view period);

// Of the text of /proc/self/cgroup: the group that limits processors; empty where it has none. `version`: 1 or 2.
std::string cpu_group(std::string_view text, int version);

// `bound`: cores that the process is bound to; 0: not known. Whole cores, 1 at least.
unsigned usable_cores(unsigned there, unsigned bound, std::optional<double> quota);
// Of this process.
unsigned usable_cores();

}  // namespace streamscope::cuda
