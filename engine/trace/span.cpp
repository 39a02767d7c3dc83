#include "engine/trace/span.h"

#include <algorithm>
#include <array>

namespace streamscope {
namespace {

constexpr std::array<std::string_view, 7> kSources{"none", "host", "event", "stamp", "inferred", "cupti", "model"};
constexpr std::array<std::string_view, 7> kReasons{"none", "stream", "legacy", "event", "engine", "host", "unknown"};

template <class T, std::size_t N>
std::optional<T> find(const std::array<std::string_view, N>& names, std::string_view wanted) {
  const auto at = std::find(names.begin(), names.end(), wanted);
  if (at == names.end()) return std::nullopt;
  return static_cast<T>(at - names.begin());
}

}  // namespace

std::string_view name(Source which) { return kSources[static_cast<std::size_t>(which)]; }
std::string_view name(WaitReason reason) { return kReasons[static_cast<std::size_t>(reason)]; }
std::optional<Source> source(std::string_view wanted) { return find<Source>(kSources, wanted); }
std::optional<WaitReason> wait_reason(std::string_view wanted) { return find<WaitReason>(kReasons, wanted); }

}  // namespace streamscope
