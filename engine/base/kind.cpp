#include "engine/base/kind.h"

#include <array>

#include "engine/base/translate.h"

namespace streamscope {
namespace {

constexpr std::array<EngineWords, kEngines> kEngineWords{{
    {"", "", tr_later("Host"), tr_later("its engine"), tr_later("its engine"), ""},
    {"H2D", "H2D", tr_later("H2D engine"), tr_later("H2D engine"), tr_later("the H2D engine"),
     tr_later("H2D copy engine")},
    {"D2H", "D2H", tr_later("D2H engine"), tr_later("D2H engine"), tr_later("the D2H engine"),
     tr_later("D2H copy engine")},
    {tr_later("compute"), tr_later("Compute"), tr_later("Compute"), tr_later("compute"), tr_later("the compute engine"),
     tr_later("multiprocessors")},
    {tr_later("host"), tr_later("Host"), tr_later("Host"), tr_later("host"), tr_later("the host"),
     tr_later("host thread")},
    {tr_later("link"), tr_later("Link"), tr_later("Link"), tr_later("link"), tr_later("the link"),
     tr_later("link to other devices")},
}};

}  // namespace

std::string_view name(OperationKind kind) { return kNames<OperationKind>[static_cast<std::size_t>(kind)]; }
std::string_view name(CallResult result) { return kNames<CallResult>[static_cast<std::size_t>(result)]; }
std::string_view name(Engine which) { return kNames<Engine>[static_cast<std::size_t>(which)]; }
const EngineWords& words_of(Engine engine) { return kEngineWords[static_cast<std::size_t>(engine)]; }

}  // namespace streamscope
