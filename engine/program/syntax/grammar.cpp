#include "engine/program/syntax/grammar.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <vector>

#include "engine/base/translate.h"
#include "engine/program/limits.h"
#include "engine/program/program.h"
#include "kernels/own/own.h"
#include "kernels/registry.h"

namespace streamscope::program::grammar {
namespace {

using syntax::Verb;
using A = ArgumentKind;
using O = kernels::OptionKind;

constexpr A kNewName[] = {A::new_name};
constexpr A kNewNameBytes[] = {A::new_name, A::bytes};
constexpr A kNewNameCount[] = {A::new_name, A::integer};
constexpr A kName[] = {A::name};
constexpr A kRange[] = {A::range};
constexpr A kTwoRanges[] = {A::range, A::range};
constexpr A kTwoNames[] = {A::name, A::name};
constexpr A kTwoSides[] = {A::side, A::side};
constexpr A kTwoDevicesOnOff[] = {A::integer, A::integer, A::on_off};
constexpr A kInteger[] = {A::integer};
constexpr A kRangeFrom[] = {A::range, A::from, A::range};
constexpr A kRangeTo[] = {A::range, A::to, A::range};
constexpr A kRangeValue[] = {A::range, A::integer};
constexpr A kNewNameOnName[] = {A::new_name, A::on, A::name};
constexpr A kTimes[] = {A::times};
constexpr A kWhichDefault[] = {A::which_default};
constexpr A kDirectionRanges[] = {A::direction, A::range, A::from, A::range};
constexpr A kNameGiven[] = {A::name, A::given};
constexpr A kNewNameFileParameters[] = {A::new_name, A::file, A::parameters};
constexpr A kDuration[] = {A::duration};
constexpr A kHowItFails[] = {A::how_it_fails};

constexpr kernels::Option kNonblocking{
    .key = "nonblocking",
    .kind = O::flag,
    .help = tr_later("The stream and the legacy default stream do not wait for each other (cudaStreamNonBlocking).")};
constexpr kernels::Option kBuffer[] = {
    {.key = "host",
     .kind = O::choice,
     .example = "pinned",
     .help = tr_later("The kind of host memory."),
     .words = kNames<HostMemory>},
    {.key = "device",
     .kind = O::counts,
     .most = kLastDevice,
     .example = "0,1",
     .help = tr_later("The device that has the device side, or several with a side each.")}};
constexpr kernels::Option kPriority{
    .key = "priority",
    .example = "-1",
    .help = tr_later("Lower numbers are more urgent, 0 is the least urgent; the device clamps it to what it has.")};
constexpr kernels::Option kStreamOfDevice[] = {
    {.key = "device", .most = kLastDevice, .example = "1", .help = tr_later("The device that the stream is of.")},
    kNonblocking,
    kPriority};
constexpr kernels::Option kStream[] = {kNonblocking, kPriority};
constexpr kernels::Option kNoTiming{
    .key = "notiming",
    .kind = O::flag,
    .help = tr_later("The event keeps no time, which makes recording it cheaper (cudaEventDisableTiming).")};
constexpr kernels::Option kBlockingSync{
    .key = "blockingsync",
    .kind = O::flag,
    .help = tr_later("A host thread that waits for the event sleeps instead of asking all the time "
                     "(cudaEventBlockingSync).")};
constexpr kernels::Option kEventOfDevice[] = {
    {.key = "device", .most = kLastDevice, .example = "1", .help = tr_later("The device that the event is of.")},
    kNoTiming,
    kBlockingSync};
constexpr kernels::Option kOwnKernel[] = {
    {.key = "nostamp",
     .kind = O::flag,
     .help =
         tr_later("Launches the function itself and not one around it that notes its begin and end: its end is then "
                  "an event's, and its start is inferred.")}};
constexpr kernels::Option kEvent[] = {kNoTiming, kBlockingSync};
constexpr kernels::Option kLastError[] = {
    {.key = "peek", .kind = O::flag, .help = tr_later("Leaves the error there (cudaPeekAtLastError).")}};
constexpr kernels::Option kGraph[] = {
    {.key = "mode",
     .kind = O::choice,
     .standard = static_cast<std::int64_t>(CaptureMode::thread_local_),
     .example = "relaxed",
     .help = tr_later("Which calls CUDA refuses while the capture is under way: potentially unsafe ones of any thread "
                      "(global), of the capturing one (thread-local), or none (relaxed)."),
     .words = kNames<CaptureMode>}};
constexpr kernels::Option kRecord[] = {
    {.key = "external",
     .kind = O::flag,
     .help = tr_later("In a graph: the record stays one, a node of the graph, which each launch records anew "
                      "(cudaEventRecordExternal).")}};
constexpr kernels::Option kWait[] = {
    {.key = "external",
     .kind = O::flag,
     .help =
         tr_later("In a graph: waits for an event of outside, a node of the graph; each launch waits for the record "
                  "that is the latest then (cudaEventWaitExternal).")}};
constexpr kernels::Option kPrefetch[] = {{.key = "to",
                                          .kind = O::choice,
                                          .example = "device",
                                          .help = tr_later("Where the pages of the range move to."),
                                          .words = kLocation,
                                          .required = true}};
// Of copies in two dimensions (cudaMemcpy2DAsync).
constexpr kernels::Option kRows{.key = "rows",
                                .least = 1,
                                .most = kMaximumPitch,
                                .example = "1024",
                                .help = tr_later("Copies so many rows, each `width` bytes wide."),
                                .automatic = tr_later("all bytes of the range")};
constexpr kernels::Option kWidth{.key = "width",
                                 .kind = O::bytes,
                                 .least = 1,
                                 .most = kMaximumPitch,
                                 .example = "4KiB",
                                 .help = tr_later("Bytes of each row that is copied."),
                                 .automatic = tr_later("must be given with rows")};
constexpr kernels::Option kPitch{.key = "pitch",
                                 .kind = O::bytes,
                                 .least = 1,
                                 .most = kMaximumPitch,
                                 .example = "8KiB",
                                 .help = tr_later("Bytes from one row to the next, on both sides of the copy."),
                                 .automatic = tr_later("the width: rows follow each other")};
constexpr kernels::Option kCopyRows[] = {
    kRows,
    kWidth,
    kPitch,
    {.key = "host-pitch",
     .kind = O::bytes,
     .least = 1,
     .most = kMaximumPitch,
     .example = "4KiB",
     .help = tr_later("Bytes from one row to the next in the host's memory, where they are others."),
     .automatic = tr_later("the pitch")}};
constexpr kernels::Option kCopyRowsOnDevice[] = {
    kRows,
    kWidth,
    kPitch,
    {.key = "from-pitch",
     .kind = O::bytes,
     .least = 1,
     .most = kMaximumPitch,
     .example = "4KiB",
     .help = tr_later("Bytes from one row to the next in what is read, where they are others."),
     .automatic = tr_later("the pitch")}};
constexpr kernels::Option kPoll[] = {{.key = "every",
                                      .kind = O::duration,
                                      .least = kShortestPoll,
                                      .most = kLongestDuration,
                                      .standard = kDefaultPoll,
                                      .example = "10us",
                                      .help = tr_later("Time from one question to the next.")},
                                     {.key = "work",
                                      .kind = O::duration,
                                      .least = 0,
                                      .most = kLongestDuration,
                                      .example = "5us",
                                      .help = tr_later("Of that time, what the host does other work for.")}};

constexpr Form kBuiltIn[] = {
    {Verb::buffer, Side::declaration, "buffer", kNewNameBytes, kBuffer, "buffer x 64MiB host=pinned"},
    {Verb::stream, Side::declaration, "stream", kNewName, kStreamOfDevice, "stream A nonblocking priority=-1"},
    {Verb::streams, Side::declaration, "streams", kNewNameCount, kStreamOfDevice, "streams S 4 nonblocking"},
    {Verb::event, Side::declaration, "event", kNewName, kEventOfDevice, "event e notiming"},
    {Verb::own_kernel, Side::declaration, "kernel", kNewNameFileParameters, kOwnKernel,
     "kernel mine \"mine.cu\" (float* x, int n)"},
    {Verb::default_stream, Side::declaration, "default-stream", kWhichDefault, {}, "default-stream per-thread"},
    {Verb::h2d, Side::stream, "h2d", kRangeFrom, kCopyRows, "A: h2d x[0:16MiB]", nullptr, 2},
    {Verb::d2h, Side::stream, "d2h", kRangeTo, kCopyRows, "A: d2h x[0:16MiB]", nullptr, 2},
    {Verb::d2d, Side::stream, "d2d", kTwoRanges, kCopyRowsOnDevice, "A: d2d y[0:1MiB] x[4MiB:1MiB]"},
    {Verb::peer, Side::stream, "peer", kTwoSides, {}, "A: peer y[0:16MiB]@1 x[0:16MiB]@0"},
    {Verb::memset, Side::stream, "memset", kRangeValue, {}, "A: memset x[0:1MiB] 0"},
    {Verb::record, Side::stream, "record", kName, kRecord, "A: record e"},
    {Verb::wait, Side::stream, "wait", kName, kWait, "A: wait e"},
    {Verb::hostfn, Side::stream, "hostfn", kDuration, {}, "A: hostfn 50us"},
    {Verb::callback, Side::stream, "callback", kDuration, {}, "A: callback 50us"},
    {Verb::prefetch, Side::stream, "prefetch", kRange, kPrefetch, "A: prefetch x[0:16MiB] to=device"},
    {Verb::malloc_async, Side::stream, "malloc", kNewNameBytes, {}, "A: malloc t 1MiB"},
    {Verb::free_async, Side::stream, "free", kName, {}, "A: free t"},
    {Verb::launch, Side::stream, "launch", kName, {}, "A: launch G"},
    {Verb::fault, Side::stream, "fault", kHowItFails, {}, "A: fault illegal-address"},
    {Verb::work, Side::host, "work", kDuration, {}, "host: work 200us"},
    {Verb::sync, Side::host, "sync", kName, {}, "host: sync device"},
    {Verb::poll, Side::host, "poll", kName, kPoll, "host: poll A every=10us"},
    {Verb::query, Side::host, "query", kName, {}, "host: query A"},
    {Verb::attributes, Side::host, "attributes", kName, {}, "host: attributes A"},
    {Verb::capture, Side::host, "capture", kName, {}, "host: capture G"},
    {Verb::capture_info, Side::host, "capture-info", kName, {}, "host: capture-info A"},
    {Verb::elapsed, Side::host, "elapsed", kTwoNames, {}, "host: elapsed a b"},
    {Verb::memcpy, Side::host, "memcpy", kDirectionRanges, {}, "host: memcpy h2d x[0:1MiB]", nullptr, 2},
    {Verb::memset_now, Side::host, "memset", kRangeValue, {}, "host: memset x[0:1MiB] 0"},
    {Verb::d2d_now, Side::host, "d2d", kTwoRanges, {}, "host: d2d y[0:1MiB] x[4MiB:1MiB]"},
    {Verb::malloc, Side::host, "malloc", kNewNameBytes, {}, "host: malloc t 64MiB"},
    {Verb::free, Side::host, "free", kName, {}, "host: free t"},
    {Verb::create_stream, Side::host, "create-stream", kNewName, kStream,
     "host: create-stream A nonblocking priority=-1"},
    {Verb::create_event, Side::host, "create-event", kNewName, kEvent, "host: create-event e notiming"},
    {Verb::destroy, Side::host, "destroy", kName, {}, "host: destroy A"},
    {Verb::malloc_host, Side::host, "malloc-host", kNewNameBytes, {}, "host: malloc-host h 64MiB"},
    {Verb::free_host, Side::host, "free-host", kName, {}, "host: free-host h"},
    {Verb::pin, Side::host, "register", kName, {}, "host: register x"},
    {Verb::unpin, Side::host, "unregister", kName, {}, "host: unregister x"},
    {Verb::last_error, Side::host, "lasterror", {}, kLastError, "host: lasterror peek"},
    {Verb::reset, Side::host, "reset", {}, {}, "host: reset"},
    {Verb::touch, Side::host, "touch", kRange, {}, "host: touch x[0:1MiB]"},
    {Verb::join, Side::host, "join", kName, {}, "host: join T"},
    {Verb::device, Side::host, "device", kInteger, {}, "host: device 1"},
    {Verb::peer_access, Side::host, "peer", kTwoDevicesOnOff, {}, "host: peer 0 1 on"},
    {Verb::repeat, Side::block, "repeat", kTimes, {}, "repeat 16 as i {"},
    {Verb::graph, Side::block, "graph", kNewNameOnName, kGraph, "graph G on A {"},
    {Verb::thread, Side::block, "thread", kNewName, {}, "thread T {"},
};

constexpr std::string_view kReserved[] = {"default", "device", "host",   "per-thread", "buffer", "stream",
                                          "streams", "event",  "repeat", "graph",      "thread", "kernel"};

// A form for each kernel, whose options without a key come first. The tables and texts of those that were made stay for
// good.
struct KernelForms {
  KernelForms() {
    for (const kernels::Kernel* const kernel : kernels::all()) {
      std::vector<A>& arguments = kinds.emplace_back();
      std::span<const kernels::Option> options = kernel->options;
      if (kernel->operands != kernels::Operands::none) arguments.push_back(A::range);
      const bool either = kernel->operands == kernels::Operands::either;
      if (either || kernel->operands == kernels::Operands::to_from)
        arguments.insert(arguments.end(), {A::from, A::range});
      for (; !options.empty() && options[0].leading; options = options.subspan(1)) {
        arguments.push_back(argument_kind(options[0].kind));
      }
      usages.push_back("A: " + std::string(kernel->usage));
      all.push_back({Verb::kernel, Side::stream, kernel->word, arguments, options, usages.back(), kernel,
                     either ? std::size_t{2} : 0});
    }
  }

  std::deque<std::vector<A>> kinds;
  std::deque<std::string> usages;
  std::vector<Form> all;
};

// The kernels' stand behind what moves data.
std::vector<Form> all_forms() {
  static const KernelForms kKernels;
  std::vector<Form> all(std::begin(kBuiltIn), std::end(kBuiltIn));
  const auto record = std::find_if(all.begin(), all.end(), [](const Form& one) { return one.verb == Verb::record; });
  const auto own =
      all.insert(record, kKernels.all.begin(), kKernels.all.end()) + static_cast<std::ptrdiff_t>(kKernels.all.size());
  all.insert(own, {Verb::own, Side::stream, "KERNEL", kNameGiven, kernels::any_own_kernel().options,
                   "A: mine x[0:4MiB] 1048576 blocks=4096 threads=256"});
  return all;
}

}  // namespace

std::span<const Form> forms() {
  static const std::vector<Form> kAll = all_forms();
  return kAll;
}

const Form* find(Side side, std::string_view word) {
  const auto at = std::find_if(forms().begin(), forms().end(), [&](const Form& one) {
    return one.side == side && one.word == word && one.verb != Verb::own;
  });
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
