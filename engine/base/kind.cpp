#include "engine/base/kind.h"

#include <algorithm>

namespace streamscope {
namespace {

constexpr std::array<std::string_view, kOperationKinds> kKindNames{"h2d",    "d2h",    "d2d",    "memset", "kernel",
                                                                   "record", "wait",   "hostfn", "work",   "sync",
                                                                   "poll",   "malloc", "free",   "touch"};
constexpr std::array<std::string_view, kEngines> kEngineNames{"none", "h2d", "d2h", "compute", "host"};

template <class T, std::size_t N>
std::optional<T> find(const std::array<std::string_view, N>& names, std::string_view wanted) {
  const auto at = std::find(names.begin(), names.end(), wanted);
  if (at == names.end()) return std::nullopt;
  return static_cast<T>(at - names.begin());
}

}  // namespace

std::string_view name(OperationKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }
std::string_view name(Engine which) { return kEngineNames[static_cast<std::size_t>(which)]; }
std::optional<OperationKind> operation_kind(std::string_view wanted) { return find<OperationKind>(kKindNames, wanted); }
std::optional<Engine> engine(std::string_view wanted) { return find<Engine>(kEngineNames, wanted); }

}  // namespace streamscope
