// Operations as their statements, for messages.
#include <fmt/format.h>

#include <bit>

#include "engine/base/translate.h"
#include "engine/program/program.h"

namespace streamscope::program {
namespace {

// A statement in the language of docs/language.md, with plain bytes and nanoseconds.
class StatementText {
 public:
  explicit StatementText(const Program& program) : program_(program) {}

  std::string operator()(const op::Copy& copy) const {
    const bool in = copy.direction == Direction::h2d;
    std::string text = fmt::format("{}{} {}", copy.blocking ? "memcpy " : "", in ? "h2d" : "d2h", range(copy.device));
    if (copy.device.pitch == 0 ? copy.host != copy.device
                               : copy.host.buffer != copy.device.buffer || copy.host.offset != copy.device.offset)
      text += (in ? " from " : " to ") + range(copy.host);
    return text + rows(copy.device, copy.host, "host-pitch");
  }
  std::string operator()(const op::Kernel& one) const {
    const kernels::Choice& choice = program_.kernels[one.kernel];
    std::string text(choice.kernel->word);
    if (const LaunchArguments* arguments = arguments_of(program_, one)) {
      const auto& parameters = choice.kernel->own()->parameters;
      for (std::size_t i = 0; i < arguments->size(); ++i) text += ' ' + written((*arguments)[i], parameters[i]);
    }
    if (choice.kernel->operands != kernels::Operands::none) text += ' ' + range(one.range);
    if (choice.kernel->has_two_ranges(choice.values)) text += " from " + range(one.from);
    const std::string options = kernels::written_out(choice);
    return options.empty() ? text : text + ' ' + options;
  }
  std::string operator()(const op::Elapsed& one) const {
    return "elapsed " + program_.events[one.from.value].name + ' ' + program_.events[one.to.value].name;
  }
  std::string operator()(const op::PeerCopy& one) const {
    return fmt::format("peer {}@{} {}@{}", range(one.to), one.to_device.value, range(one.from), one.from_device.value);
  }
  std::string operator()(const op::SetDevice& one) const { return fmt::format("device {}", one.device.value); }
  std::string operator()(const op::PeerAccess& one) const {
    return fmt::format("peer {} {} {}", one.first.value, one.second.value, one.on ? "on" : "off");
  }
  std::string operator()(const op::CreateStream& one) const {
    const Stream& stream = program_.streams[one.made.value];
    return fmt::format("create-stream {}{}{}", stream.name, stream.nonblocking ? " nonblocking" : "",
                       stream.priority != 0 ? fmt::format(" priority={}", stream.priority) : "");
  }
  std::string operator()(const op::CreateEvent& one) const {
    const Event& event = program_.events[one.made.value];
    return fmt::format("create-event {}{}{}", event.name, event.timing ? "" : " notiming",
                       event.blocking_sync ? " blockingsync" : "");
  }
  std::string operator()(const op::DestroyStream& one) const {
    return "destroy " + program_.streams[one.gone.value].name;
  }
  std::string operator()(const op::DestroyEvent& one) const {
    return "destroy " + program_.events[one.gone.value].name;
  }
  std::string operator()(const op::MallocHost& one) const {
    return fmt::format("malloc-host {} {}", buffer(one.made).name, buffer(one.made).bytes);
  }
  std::string operator()(const op::FreeHost& one) const { return "free-host " + buffer(one.gone).name; }
  std::string operator()(const op::Register& one) const { return "register " + buffer(one.memory).name; }
  std::string operator()(const op::Unregister& one) const { return "unregister " + buffer(one.memory).name; }
  std::string operator()(const op::Fault& one) const { return fmt::format("fault {}", name(one.kind)); }
  std::string operator()(const op::LastError& one) const { return one.peek ? "lasterror peek" : "lasterror"; }
  std::string operator()(const op::Attributes& one) const {
    return "attributes " + program_.streams[one.stream.value].name;
  }
  std::string operator()(const op::CaptureInfo& one) const {
    return "capture-info " + program_.streams[one.stream.value].name;
  }
  // Of a call in its body, that too: "capture G, A: h2d x[0:4096]"
  std::string operator()(const op::Capture& one) const {
    const Graph& graph = program_.graphs[one.graph.value];
    std::string text = "capture " + graph.name;
    if (one.step != CaptureStep::call) return text;
    const Operation& call = graph.body[one.body];
    return text + ", " + program_.streams[call.stream->value].name + ": " + std::visit(*this, call.work);
  }
  // A word, and those of these that the operation has.
  template <class Other>
  std::string operator()(const Other& one) const {
    std::string text(name(kind(one)));
    if constexpr (requires { one.callback; }) {
      if (one.callback) text = "callback";
    }
    const auto add = [&](const std::string& operand) { text += ' ' + operand; };
    if constexpr (std::is_same_v<Other, op::SyncDevice>) add("device");
    if constexpr (std::is_same_v<Other, op::CopyOnDevice>)
      add(range(one.to) + ' ' + range(one.from) + rows(one.to, one.from, "from-pitch"));
    if constexpr (requires { one.range; }) add(range(one.range));
    if constexpr (requires { one.value; }) add(std::to_string(one.value));
    if constexpr (requires { one.event; }) add(program_.events[one.event.value].name);
    if constexpr (requires { one.stream; }) add(program_.streams[one.stream.value].name);
    if constexpr (requires { one.buffer; }) add(buffer(one.buffer).name);
    if constexpr (std::is_same_v<Other, op::Malloc> || std::is_same_v<Other, op::MallocAsync>)
      add(std::to_string(buffer(one.buffer).bytes));
    if constexpr (requires { one.graph; }) add(program_.graphs[one.graph.value].name);
    if constexpr (requires { one.thread; }) add(program_.threads[one.thread.value].name);
    if constexpr (requires { one.external; }) {
      if (one.external) add("external");
    }
    if constexpr (requires { one.duration; }) add(fmt::format("{}ns", one.duration));
    if constexpr (requires { one.every; }) {
      if (!one.once) add(fmt::format("every={}ns", one.every));
      if (one.work > 0) add(fmt::format("work={}ns", one.work));
    }
    if constexpr (std::is_same_v<Other, op::Prefetch>) add(one.to == MemoryLocation::device ? "to=device" : "to=host");
    return text;
  }

 private:
  const Buffer& buffer(BufferId id) const { return program_.buffers[id.value]; }
  std::string range(const Range& range) const {
    return fmt::format("{}[{}:{}]", buffer(range.buffer).name, range.offset, range.bytes);
  }
  std::string written(const LaunchArgument& argument, const kernels::Parameter& parameter) const {
    if (kernels::is_pointer(parameter.kind)) return range(argument.range);
    if (parameter.type == "float")
      return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(argument.bits)));
    if (parameter.type == "double") return fmt::format("{}", std::bit_cast<double>(argument.bits));
    if (parameter.type == "int") return fmt::format("{}", static_cast<std::int32_t>(argument.bits));
    return fmt::format("{}", static_cast<std::int64_t>(argument.bits));
  }
  static std::string rows(const Range& range, const Range& other, std::string_view key) {
    if (range.pitch == 0) return {};
    std::string text = fmt::format(" rows={} width={} pitch={}", rows_of(range), row_bytes(range), range.pitch);
    return other.pitch == range.pitch ? text : text + fmt::format(" {}={}", key, other.pitch);
  }

  const Program& program_;
};

}  // namespace

std::string statement_of(const Program& program, OperationIndex index) {
  const Operation& operation = program.operations[index];
  const bool in_stream = operation.stream && !is_without_stream(operation.work) && !is_blocking_copy(operation.work);
  std::string who = in_stream ? program.streams[operation.stream->value].name : "host";
  if (operation.thread.value != 0) who += tr(" (thread {})", program.threads[operation.thread.value].name);
  return who + ": " + std::visit(StatementText(program), operation.work);
}

std::string describe(const Program& program, OperationIndex index) {
  if (index >= program.operations.size()) return tr("operation {}", index);
  const std::uint32_t line = program.operations[index].line;
  const std::string where = line == 0 ? tr("implied at the end") : tr("line {}", line);
  return tr("operation {}, {}: {}", index, where, statement_of(program, index));
}

}  // namespace streamscope::program
