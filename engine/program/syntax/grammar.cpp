#include "engine/program/syntax/grammar.h"

#include <algorithm>
#include <array>

namespace streamscope::program::grammar {
namespace {

using syntax::Verb;
using A = ArgumentKind;
using O = OptionKind;

constexpr A kNewName[] = {A::new_name};
constexpr A kNewNameBytes[] = {A::new_name, A::bytes};
constexpr A kNewNameCount[] = {A::new_name, A::integer};
constexpr A kName[] = {A::name};
constexpr A kRange[] = {A::range};
constexpr A kTwoRanges[] = {A::range, A::range};
constexpr A kRangeValue[] = {A::range, A::integer};
constexpr A kNewNameName[] = {A::new_name, A::name};
constexpr A kDirectionRange[] = {A::direction, A::range};
constexpr A kDuration[] = {A::duration};

constexpr OptionForm kBuffer[] = {{"host", O::host_memory, false, "pinned"}};
constexpr OptionForm kStream[] = {{"nonblocking", O::flag, false, {}}, {"priority", O::integer, false, "-1"}};
constexpr OptionForm kStreams[] = {{"nonblocking", O::flag, false, {}}};
constexpr OptionForm kEvent[] = {{"notiming", O::flag, false, {}}};
constexpr OptionForm kSpin[] = {
    {"blocks", O::integer, false, "1"}, {"threads", O::integer, false, "128"}, {"smem", O::bytes, false, "48KiB"}};
constexpr OptionForm kAxpb[] = {
    {"fma", O::integer, true, "64"}, {"blocks", O::integer, false, "264"}, {"threads", O::integer, false, "256"}};
constexpr OptionForm kTiles[] = {{"fma", O::integer, true, "32"},       {"copy", O::tile_copy, false, "cp.async"},
                                 {"stages", O::integer, false, "3"},    {"tile", O::bytes, false, "16KiB"},
                                 {"bytes", O::integer, false, "16"},    {"l1", O::flag, false, {}},
                                 {"align", O::integer, false, "128"},   {"diverge", O::integer, false, "2"},
                                 {"producers", O::integer, false, "2"}, {"per-sm", O::integer, false, "1"},
                                 {"blocks", O::integer, false, "132"},  {"threads", O::integer, false, "256"}};
constexpr OptionForm kAttention[] = {{"heads", O::integer, false, "8"},
                                     {"head", O::integer, false, "64"},
                                     {"type", O::float_type, false, "bf16"},
                                     {"buffers", O::integer, false, "2"}};
constexpr OptionForm kPrefetch[] = {{"to", O::location, true, "device"}};
constexpr OptionForm kPoll[] = {{"every", O::duration, false, "10us"}};

constexpr Form kForms[] = {
    {Verb::buffer, Side::declaration, "buffer", kNewNameBytes, kBuffer, "buffer x 64MiB host=pinned"},
    {Verb::stream, Side::declaration, "stream", kNewName, kStream, "stream A nonblocking priority=-1"},
    {Verb::streams, Side::declaration, "streams", kNewNameCount, kStreams, "streams S 4 nonblocking"},
    {Verb::event, Side::declaration, "event", kNewName, kEvent, "event e notiming"},
    {Verb::h2d, Side::stream, "h2d", kRange, {}, "A: h2d x[0:16MiB]"},
    {Verb::d2h, Side::stream, "d2h", kRange, {}, "A: d2h x[0:16MiB]"},
    {Verb::d2d, Side::stream, "d2d", kTwoRanges, {}, "A: d2d y[0:1MiB] x[4MiB:1MiB]"},
    {Verb::memset, Side::stream, "memset", kRangeValue, {}, "A: memset x[0:1MiB] 0"},
    {Verb::spin, Side::stream, "spin", kDuration, kSpin, "A: spin 300us blocks=1 threads=128 smem=0"},
    {Verb::axpb, Side::stream, "axpb", kRange, kAxpb, "A: axpb x[0:16MiB] fma=64 blocks=8 threads=256"},
    {Verb::tiles, Side::stream, "tiles", kRange, kTiles,
     "A: tiles x[0:64MiB] fma=32 copy=cp.async stages=3 tile=16KiB"},
    {Verb::attention, Side::stream, "attention", kRange, kAttention,
     "A: attention x[0:16MiB] heads=8 head=64 type=fp32 buffers=2"},
    {Verb::record, Side::stream, "record", kName, {}, "A: record e"},
    {Verb::wait, Side::stream, "wait", kName, {}, "A: wait e"},
    {Verb::hostfn, Side::stream, "hostfn", kDuration, {}, "A: hostfn 50us"},
    {Verb::prefetch, Side::stream, "prefetch", kRange, kPrefetch, "A: prefetch x[0:16MiB] to=device"},
    {Verb::malloc_async, Side::stream, "malloc", kNewNameBytes, {}, "A: malloc t 1MiB"},
    {Verb::free_async, Side::stream, "free", kName, {}, "A: free t"},
    {Verb::launch, Side::stream, "launch", kName, {}, "A: launch G"},
    {Verb::work, Side::host, "work", kDuration, {}, "host: work 200us"},
    {Verb::sync, Side::host, "sync", kName, {}, "host: sync device"},
    {Verb::poll, Side::host, "poll", kName, kPoll, "host: poll A every=10us"},
    {Verb::memcpy, Side::host, "memcpy", kDirectionRange, {}, "host: memcpy h2d x[0:1MiB]"},
    {Verb::malloc, Side::host, "malloc", kNewNameBytes, {}, "host: malloc t 64MiB"},
    {Verb::free, Side::host, "free", kName, {}, "host: free t"},
    {Verb::touch, Side::host, "touch", kRange, {}, "host: touch x[0:1MiB]"},
    {Verb::join, Side::host, "join", kName, {}, "host: join T"},
    {Verb::graph, Side::block, "graph", kNewNameName, {}, "graph G on A {"},
    {Verb::thread, Side::block, "thread", kNewName, {}, "thread T {"},
};

constexpr std::string_view kReserved[] = {"default", "device", "host",   "per-thread", "buffer", "stream",
                                          "streams", "event",  "repeat", "graph",      "thread"};

}  // namespace

std::span<const Form> forms() { return kForms; }

const Form* find(Side side, std::string_view word) {
  const auto at = std::find_if(std::begin(kForms), std::end(kForms),
                               [&](const Form& one) { return one.side == side && one.word == word; });
  return at == std::end(kForms) ? nullptr : &*at;
}

const Form& form(Verb verb) {
  return *std::find_if(std::begin(kForms), std::end(kForms), [&](const Form& one) { return one.verb == verb; });
}

bool reserved(std::string_view name) {
  return std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved);
}

}  // namespace streamscope::program::grammar
