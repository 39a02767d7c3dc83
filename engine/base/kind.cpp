#include "engine/base/kind.h"

#include <array>

namespace streamscope {
namespace {

constexpr std::array<EngineWords, kEngines> kEngineWords{{
    {"", "", "Host", "its engine", "its engine", ""},
    {"H2D", "H2D", "H2D engine", "H2D engine", "the H2D engine", "H2D copy engine"},
    {"D2H", "D2H", "D2H engine", "D2H engine", "the D2H engine", "D2H copy engine"},
    {"compute", "Compute", "Compute", "compute", "the compute engine", "multiprocessors"},
    {"host", "Host", "Host", "host", "the host", "host thread"},
}};

}  // namespace

std::string_view name(OperationKind kind) { return kNames<OperationKind>[static_cast<std::size_t>(kind)]; }
std::string_view name(Engine which) { return kNames<Engine>[static_cast<std::size_t>(which)]; }
const EngineWords& words_of(Engine engine) { return kEngineWords[static_cast<std::size_t>(engine)]; }

}  // namespace streamscope
