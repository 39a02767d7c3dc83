#include "engine/program/syntax/grammar.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <vector>

#include "engine/program/program.h"
#include "kernels/registry.h"

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

constexpr OptionForm kBuffer[] = {{"host", O::word, false, "pinned", kNames<HostMemory>}};
constexpr OptionForm kStream[] = {{"nonblocking", O::flag, false, {}}, {"priority", O::integer, false, "-1"}};
constexpr OptionForm kStreams[] = {{"nonblocking", O::flag, false, {}}};
constexpr OptionForm kEvent[] = {{"notiming", O::flag, false, {}}};
constexpr OptionForm kPrefetch[] = {{"to", O::word, true, "device", kLocation}};
constexpr OptionForm kPoll[] = {{"every", O::duration, false, "10us"}};

constexpr Form kBuiltIn[] = {
    {Verb::buffer, Side::declaration, "buffer", kNewNameBytes, kBuffer, "buffer x 64MiB host=pinned"},
    {Verb::stream, Side::declaration, "stream", kNewName, kStream, "stream A nonblocking priority=-1"},
    {Verb::streams, Side::declaration, "streams", kNewNameCount, kStreams, "streams S 4 nonblocking"},
    {Verb::event, Side::declaration, "event", kNewName, kEvent, "event e notiming"},
    {Verb::h2d, Side::stream, "h2d", kRange, {}, "A: h2d x[0:16MiB]"},
    {Verb::d2h, Side::stream, "d2h", kRange, {}, "A: d2h x[0:16MiB]"},
    {Verb::d2d, Side::stream, "d2d", kTwoRanges, {}, "A: d2d y[0:1MiB] x[4MiB:1MiB]"},
    {Verb::memset, Side::stream, "memset", kRangeValue, {}, "A: memset x[0:1MiB] 0"},
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

// A form for each kernel. The tables and texts of those that were made stay for good.
struct KernelForms {
  KernelForms() {
    for (const kernels::Kernel* const kernel : kernels::all()) {
      std::vector<A>& arguments = kinds.emplace_back();
      std::vector<OptionForm>& table = tables.emplace_back();
      if (kernel->operands != kernels::Operands::none) arguments.push_back(A::range);
      if (kernel->operands == kernels::Operands::to_from) arguments.insert(arguments.end(), {A::from, A::range});
      for (const kernels::Option& option : kernel->options) {
        if (option.leading) {
          arguments.push_back(kind_of_argument(option.kind));
        } else {
          table.push_back({option.key, kind_of(option.kind), option.required, option.example, option.words});
        }
      }
      usages.push_back("A: " + std::string(kernel->usage));
      all.push_back({Verb::kernel, Side::stream, kernel->word, arguments, table, usages.back(), kernel});
    }
  }

  static O kind_of(kernels::OptionKind kind) {
    switch (kind) {
      case kernels::OptionKind::count: return O::integer;
      case kernels::OptionKind::bytes: return O::bytes;
      case kernels::OptionKind::duration: return O::duration;
      case kernels::OptionKind::flag: return O::flag;
      case kernels::OptionKind::choice: return O::word;
    }
    return O::integer;
  }
  static A kind_of_argument(kernels::OptionKind kind) {
    return kind == kernels::OptionKind::duration ? A::duration
           : kind == kernels::OptionKind::bytes  ? A::bytes
                                                 : A::integer;
  }

  std::deque<std::vector<A>> kinds;
  std::deque<std::vector<OptionForm>> tables;
  std::deque<std::string> usages;
  std::vector<Form> all;
};

// The kernels' stand behind what moves data.
std::vector<Form> all_forms() {
  static const KernelForms kKernels;
  std::vector<Form> all(std::begin(kBuiltIn), std::end(kBuiltIn));
  const auto record = std::find_if(all.begin(), all.end(), [](const Form& one) { return one.verb == Verb::record; });
  all.insert(record, kKernels.all.begin(), kKernels.all.end());
  return all;
}

}  // namespace

std::span<const Form> forms() {
  static const std::vector<Form> kAll = all_forms();
  return kAll;
}

const Form* find(Side side, std::string_view word) {
  const auto at = std::find_if(forms().begin(), forms().end(),
                               [&](const Form& one) { return one.side == side && one.word == word; });
  return at == forms().end() ? nullptr : &*at;
}

const Form& form(const syntax::Statement& statement) {
  return *std::find_if(forms().begin(), forms().end(),
                       [&](const Form& one) { return one.verb == statement.verb && one.kernel == statement.kernel; });
}

bool reserved(std::string_view name) {
  return std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved);
}

}  // namespace streamscope::program::grammar
