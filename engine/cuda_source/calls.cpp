// Each statement that is one call of CUDA's, or of a function that is written out beside it.
#include <fmt/format.h>

#include "engine/cuda_source/arguments.h"
#include "engine/cuda_source/statements.h"
#include "engine/program/limits.h"

namespace streamscope::cuda_source {
namespace {

using program::syntax::Name;
using program::syntax::Number;
using program::syntax::Range;
using program::syntax::Verb;
using program::syntax::Word;

}  // namespace

// The buffer that the statement allocates; its size is said where it is not always the same.
Place Statements::made(const Statement& statement) {
  names_.begin(name_at(statement, 0), variables_);
  const Place at = names_.find(name_at(statement, 0), variables_, {Entity::buffer}).value();
  if (at.named->size_changes)
    add(fmt::format("{} = {};", at.bytes(), cpp_bytes(std::get<Number>(statement.arguments[1]), variables_)),
        statement);
  return at;
}

// `other_first`: the pitch of what is written is that with a key of its own.
std::string Statements::rows_copied(const Statement& statement, const std::string& to, const std::string& from,
                                    std::string_view other, bool other_first, std::string_view kind) const {
  const auto value = [&](std::string_view key, const std::string& standard) {
    const auto* const one = option(statement, key);
    return one == nullptr ? standard : cpp_bytes(std::get<Number>(*one->value), variables_);
  };
  const std::string width = value("width", {}), pitch = value("pitch", width), second = value(other, pitch);
  const auto* const rows = option(statement, "rows");
  return fmt::format("cudaMemcpy2DAsync({}, {}, {}, {}, {}, {}, cudaMemcpy{}, {})", to, other_first ? second : pitch,
                     from, other_first ? pitch : second, width, cpp(std::get<Number>(*rows->value), variables_), kind,
                     stream(*statement.stream));
}

void Statements::call(const Statement& statement, const std::string& comment) {
  const std::string on = statement.stream ? stream(*statement.stream) : std::string();
  const auto call = [&](const std::string& text) { check(text, statement, comment); };
  switch (statement.verb) {
    case Verb::h2d:
    case Verb::d2h:
    case Verb::memcpy: {
      const std::size_t first = statement.verb == Verb::memcpy ? 1 : 0;
      const bool in =
          statement.verb == Verb::h2d || (first == 1 && std::get<Word>(statement.arguments[0]).text == "h2d");
      const RangeText device = range(range_at(statement, first));
      const RangeText host = statement.arguments.size() > first + 1 ? range(range_at(statement, first + 2)) : device;
      if (!statement.options.empty())
        return call(in ? rows_copied(statement, device.device, host.host, "host-pitch", false, "HostToDevice")
                       : rows_copied(statement, host.host, device.device, "host-pitch", true, "DeviceToHost"));
      const std::string copied =
          in ? fmt::format("{}, {}, {}, cudaMemcpyHostToDevice", device.device, host.host, device.bytes)
             : fmt::format("{}, {}, {}, cudaMemcpyDeviceToHost", host.host, device.device, device.bytes);
      return call(first == 1 ? fmt::format("cudaMemcpy({})", copied)
                             : fmt::format("cudaMemcpyAsync({}, {})", copied, on));
    }
    case Verb::d2d:
    case Verb::d2d_now: {
      const RangeText to = range(range_at(statement, 0)), from = range(range_at(statement, 1));
      if (!statement.options.empty())
        return call(rows_copied(statement, to.device, from.device, "from-pitch", false, "DeviceToDevice"));
      if (on.empty())
        return call(fmt::format("cudaMemcpy({}, {}, {}, cudaMemcpyDeviceToDevice)", to.device, from.device, to.bytes));
      return call(fmt::format("cudaMemcpyAsync({}, {}, {}, cudaMemcpyDeviceToDevice, {})", to.device, from.device,
                              to.bytes, on));
    }
    case Verb::peer: {
      const Range &to_range = range_at(statement, 0), &from_range = range_at(statement, 1);
      const DeviceId to_device = device_at(to_range), from_device = device_at(from_range);
      const RangeText to = range(to_range, to_device), from = range(from_range, from_device);
      return call(fmt::format("cudaMemcpyPeerAsync({}, {}, {}, {}, {}, {})", to.device, to_device.value, from.device,
                              from_device.value, to.bytes, on));
    }
    case Verb::memset:
    case Verb::memset_now: {
      const RangeText at = range(range_at(statement, 0));
      if (on.empty()) return call(fmt::format("cudaMemset({}, {}, {})", at.device, number(statement, 1), at.bytes));
      return call(fmt::format("cudaMemsetAsync({}, {}, {}, {})", at.device, number(statement, 1), at.bytes, on));
    }
    case Verb::record:
      if (option(statement, "external") != nullptr)
        return call(fmt::format("cudaEventRecordWithFlags({}, {}, cudaEventRecordExternal)",
                                place(name_at(statement, 0), {Entity::event}), on));
      return call(fmt::format("cudaEventRecord({}, {})", event(name_at(statement, 0)), on));
    case Verb::wait:
      if (option(statement, "external") != nullptr)
        return call(fmt::format("cudaStreamWaitEvent({}, {}, cudaEventWaitExternal)", on,
                                place(name_at(statement, 0), {Entity::event})));
      return call(fmt::format("cudaStreamWaitEvent({}, {}, 0)", on, event(name_at(statement, 0))));
    case Verb::hostfn:
      needs(kBusy);
      needs(kHostFunction);
      return call(fmt::format("cudaLaunchHostFunc({}, host_function, reinterpret_cast<void*>(static_cast<size_t>({})))",
                              on, number(statement, 0)));
    case Verb::callback:
      needs(kBusy);
      needs(kCallback);
      return call(
          fmt::format("cudaStreamAddCallback({}, callback, reinterpret_cast<void*>(static_cast<size_t>({})), 0)", on,
                      number(statement, 0)));
    case Verb::query:
      needs_answer();
      return add(fmt::format("answer({});", asked(name_at(statement, 0), "Query")), statement, comment);
    case Verb::create_stream: {
      names_.begin(name_at(statement, 0), variables_);
      const std::string made = place(name_at(statement, 0), {Entity::stream});
      const std::string flags =
          option(statement, "nonblocking") != nullptr ? "cudaStreamNonBlocking" : "cudaStreamDefault";
      const auto* const priority = option(statement, "priority");
      return call(priority != nullptr ? fmt::format("cudaStreamCreateWithPriority(&{}, {}, {})", made, flags,
                                                    cpp(std::get<Number>(*priority->value), variables_))
                                      : fmt::format("cudaStreamCreateWithFlags(&{}, {})", made, flags));
    }
    case Verb::create_event: {
      names_.begin(name_at(statement, 0), variables_);
      std::string flags = option(statement, "notiming") != nullptr ? "cudaEventDisableTiming" : "";
      if (option(statement, "blockingsync") != nullptr)
        flags += flags.empty() ? "cudaEventBlockingSync" : " | cudaEventBlockingSync";
      return call(fmt::format("cudaEventCreateWithFlags(&{}, {})", event(name_at(statement, 0)),
                              flags.empty() ? "cudaEventDefault" : flags));
    }
    case Verb::destroy: return call(asked(name_at(statement, 0), "Destroy"));
    case Verb::attributes:
      needs(kAttributes);
      return add(fmt::format("attributes({});", stream(name_at(statement, 0))), statement, comment);
    case Verb::capture: return capture(statement, comment);
    case Verb::capture_info:
      needs(kCaptureInfo);
      return add(fmt::format("capture_info({});", stream(name_at(statement, 0))), statement, comment);
    case Verb::elapsed:
      needs_answer();
      needs(kElapsed);
      return add(fmt::format("elapsed({}, {});", event(name_at(statement, 0)), event(name_at(statement, 1))), statement,
                 comment);
    case Verb::prefetch: {
      needs(kPrefetch);
      const RangeText at = range(range_at(statement, 0));
      const bool in = std::get<Word>(*option(statement, "to")->value).text == "device";
      return add(fmt::format("prefetch({}, {}, {}, {});", at.device, at.bytes,
                             in ? fmt::format("{}", device_.value) : "cudaCpuDeviceId", on),
                 statement, comment);
    }
    case Verb::malloc_async: {
      const Place at = made(statement);
      return call(fmt::format("cudaMallocAsync(&{}, {}, {})", at.cpp(), at.bytes(), on));
    }
    case Verb::malloc: {
      const Place at = made(statement);
      return call(fmt::format("cudaMalloc(&{}, {})", at.cpp(), at.bytes()));
    }
    case Verb::malloc_host: {
      const Place at = made(statement);
      return call(fmt::format("cudaMallocHost(&{}, {})", at.cpp("_host"), at.bytes()));
    }
    case Verb::free_host:
      return call(fmt::format("cudaFreeHost({})", place(name_at(statement, 0), {Entity::buffer}, "_host")));
    case Verb::pin: {
      const auto at = names_.find(name_at(statement, 0), variables_, {Entity::buffer});
      return call(fmt::format("cudaHostRegister({}, {}, cudaHostRegisterDefault)", at->cpp("_host"), at->bytes()));
    }
    case Verb::unpin:
      return call(fmt::format("cudaHostUnregister({})", place(name_at(statement, 0), {Entity::buffer}, "_host")));
    case Verb::fault: {
      needs(kLaunch);
      const auto how = by_name<program::FaultKind>(std::get<Word>(statement.arguments[0]).text);
      switch (how.value_or(program::FaultKind::illegal_address)) {
        case program::FaultKind::illegal_address:
          needs(kFaultAddress);
          return call(fmt::format("fault_illegal_address({})", on));
        case program::FaultKind::assertion:
          needs(kFaultAssert);
          headers_.insert("<cassert>");
          return call(fmt::format("fault_assert({})", on));
        case program::FaultKind::trap: needs(kFaultTrap); return call(fmt::format("fault_trap({})", on));
        case program::FaultKind::launch_config: break;
      }
      needs(kFaultLaunch);
      return call(fmt::format("fault_launch_config({})", on));
    }
    case Verb::last_error:
      needs(kLastError);
      return add(fmt::format("last_error({});",
                             option(statement, "peek") != nullptr ? "cudaPeekAtLastError()" : "cudaGetLastError()"),
                 statement, comment);
    case Verb::reset: return call("cudaDeviceReset()");
    case Verb::free_async:
      return call(fmt::format("cudaFreeAsync({}, {})", place(name_at(statement, 0), {Entity::buffer}), on));
    case Verb::free: return call(fmt::format("cudaFree({})", place(name_at(statement, 0), {Entity::buffer})));
    case Verb::launch:
      return call(fmt::format("cudaGraphLaunch({}, {})", place(name_at(statement, 0), {Entity::graph}), on));
    case Verb::work: needs(kBusy); return add(fmt::format("busy({});", number(statement, 0)), statement, comment);
    case Verb::sync: {
      const Name& name = name_at(statement, 0);
      if (name.text == "device") return call("cudaDeviceSynchronize()");
      return call(asked(name, "Synchronize"));
    }
    case Verb::poll: {
      needs(kBusy);
      needs(fails_ ? kDoneOnly : kDone);
      const auto* const every = option(statement, "every");
      const auto* const work = option(statement, "work");
      const std::string period = every != nullptr ? cpp(std::get<Number>(*every->value), variables_)
                                                  : fmt::format("{}", program::kDefaultPoll);
      const std::string asks = asked(name_at(statement, 0), "Query");
      if (work == nullptr) return add(fmt::format("while (!done({})) busy({});", asks, period), statement, comment);
      const std::string other = cpp(std::get<Number>(*work->value), variables_);
      add(fmt::format("while (!done({})) {{", asks), statement, comment);
      add(fmt::format("  busy({});  // other work", other), statement);
      add(fmt::format("  busy({} - ({}));", period, other), statement);
      return add("}", statement);
    }
    case Verb::touch: {
      needs(kTouch);
      const RangeText at = range(range_at(statement, 0));
      return add(fmt::format("touch({}, {});", at.host, at.bytes), statement, comment);
    }
    case Verb::device:
      current_ = {static_cast<std::uint32_t>(variables_.value(std::get<Number>(statement.arguments[0])).value_or(0))};
      return call(fmt::format("cudaSetDevice({})", number(statement, 0)));
    case Verb::peer_access: {
      needs(kPeerAccess);
      const bool is_on = std::get<Word>(statement.arguments[2]).text == "on";
      return add(fmt::format("peer_access({}, {}, {});", number(statement, 0), number(statement, 1), is_on), statement,
                 comment);
    }
    case Verb::join:
      return add(fmt::format("{}.join();", place(name_at(statement, 0), {Entity::thread})), statement, comment);
    default: return;
  }
}

}  // namespace streamscope::cuda_source
