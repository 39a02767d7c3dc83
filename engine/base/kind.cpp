#include "engine/base/kind.h"

#include "engine/base/name_table.h"

namespace streamscope {
namespace {

constexpr NameTable<kOperationKinds> kKindNames{"h2d",  "d2h",    "d2d",      "memset", "kernel", "record",
                                                "wait", "hostfn", "work",     "sync",   "poll",   "malloc",
                                                "free", "touch",  "prefetch", "launch", "thread", "join"};
constexpr NameTable<kEngines> kEngineNames{"none", "h2d", "d2h", "compute", "host"};

}  // namespace

std::string_view name(OperationKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }
std::string_view name(Engine which) { return kEngineNames[static_cast<std::size_t>(which)]; }
std::optional<OperationKind> operation_kind(std::string_view wanted) {
  return by_name<OperationKind>(kKindNames, wanted);
}
std::optional<Engine> engine(std::string_view wanted) { return by_name<Engine>(kEngineNames, wanted); }

}  // namespace streamscope
