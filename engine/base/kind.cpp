#include "engine/base/kind.h"

namespace streamscope {

std::string_view name(OperationKind kind) { return kNames<OperationKind>[static_cast<std::size_t>(kind)]; }
std::string_view name(Engine which) { return kNames<Engine>[static_cast<std::size_t>(which)]; }

}  // namespace streamscope
