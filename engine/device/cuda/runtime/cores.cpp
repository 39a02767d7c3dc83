#include "engine/device/cuda/runtime/cores.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <thread>

namespace streamscope::cuda {
namespace {

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \t\n"));
  text.remove_prefix(word.size());
  return word;
}

std::optional<double> positive(std::string_view word) {
  long long number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number <= 0) return std::nullopt;
  return static_cast<double>(number);
}

std::optional<double> lower(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The groups around one count too, up to the one that is the root here: a container sees its own group as the root.
template <class Quota>
std::optional<double> least_of_groups(std::string group, const Quota& quota_in) {
  std::optional<double> least = quota_in("");
  while (group.size() > 1) {
    least = lower(least, quota_in(group));
    group.erase(group.rfind('/'));
  }
  return least;
}

std::optional<double> quota_of_groups() {
  const std::string groups = text_of("/proc/self/cgroup");
  const auto newer = least_of_groups(cpu_group(groups, 2), [](const std::string& group) {
    return cores_of_quota(text_of(fmt::format("/sys/fs/cgroup{}/cpu.max", group)));
  });
  const auto older = least_of_groups(cpu_group(groups, 1), [](const std::string& group) {
    const std::string folder = "/sys/fs/cgroup/cpu" + group;
    return cores_of_quota(text_of(folder + "/cpu.cfs_quota_us"), text_of(folder + "/cpu.cfs_period_us"));
  });
  return lower(newer, older);
}

unsigned bound_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // Fails where there are more cores than the set has room for: then it does not say.
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 0;
}

}  // namespace

std::optional<double> cores_of_quota(std::string_view cpu_max) {
  const std::string_view quota = next_word(cpu_max);  // "max": no limit
  return cores_of_quota(quota, next_word(cpu_max));
}

std::optional<double> cores_of_quota(std::string_view quota, std::string_view period) {
  const auto of = positive(next_word(quota)), in = positive(next_word(period));  // -1: no limit
  if (!of || !in) return std::nullopt;
  return *of / *in;
}

// Lines "4:cpu,cpuacct:/docker/x" of version 1, and "0::/user.slice/x" of version 2.
std::string cpu_group(std::string_view text, int version) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    std::string_view controllers = line.substr(first + 1, second - first - 1);
    bool limits_processors = version == 2 && controllers.empty();
    while (version == 1 && !controllers.empty()) {
      const std::string_view one = controllers.substr(0, controllers.find(','));
      controllers.remove_prefix(std::min(one.size() + 1, controllers.size()));
      limits_processors = limits_processors || one == "cpu";
    }
    if (limits_processors) return std::string(line.substr(second + 1));
  }
  return {};
}

unsigned usable_cores(unsigned there, unsigned bound, std::optional<double> quota) {
  unsigned cores = bound > 0 ? std::min(bound, std::max(there, 1u)) : there;
  if (quota) cores = static_cast<unsigned>(std::min<double>(cores, std::floor(*quota)));
  return std::max(cores, 1u);
}

unsigned usable_cores() { return usable_cores(std::thread::hardware_concurrency(), bound_cores(), quota_of_groups()); }

}  // namespace streamscope::cuda
