#include "engine/trace/span.h"

#include "engine/base/name_table.h"

namespace streamscope::trace {
namespace {

constexpr NameTable<7> kSources{"none", "host", "event", "stamp", "inferred", "cupti", "model"};
constexpr NameTable<10> kReasons{"none", "stream",  "legacy", "event", "engine",
                                 "host", "unknown", "gate",   "graph", "queue"};

}  // namespace

std::string_view name(Source which) { return kSources[static_cast<std::size_t>(which)]; }
std::string_view name(WaitReason reason) { return kReasons[static_cast<std::size_t>(reason)]; }
std::optional<Source> source(std::string_view wanted) { return by_name<Source>(kSources, wanted); }
std::optional<WaitReason> wait_reason(std::string_view wanted) { return by_name<WaitReason>(kReasons, wanted); }

}  // namespace streamscope::trace
