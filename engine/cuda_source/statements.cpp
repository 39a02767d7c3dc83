#include "engine/cuda_source/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "engine/base/translate.h"
#include "engine/cuda_source/arguments.h"
#include "engine/cuda_source/cuda_source.h"

namespace streamscope::cuda_source {
namespace {

using program::syntax::Name;
using program::syntax::Number;
using program::syntax::Range;
using program::syntax::Verb;
using program::syntax::Word;

constexpr std::size_t kColumns = 118;

}  // namespace

Statements::Statements(const program::Syntax& syntax, const program::Program& program, Names& names)
    : syntax_(syntax), program_(program), names_(names), survey_(survey(syntax, program, names)) {}

std::vector<std::string> Statements::comments_above(std::uint32_t line) const {
  const auto at = survey_.above_line.find(line);
  return at == survey_.above_line.end() ? std::vector<std::string>() : at->second;
}

std::uint32_t Statements::first_line(const Named& one) const {
  const auto at = survey_.first_line.find(&one);
  return at == survey_.first_line.end() ? 0 : at->second;
}

bool Statements::belongs(const Statement& statement) const {
  if (declares(statement.verb) || statement.broken) return false;
  if (statement.verb == Verb::graph) return part_ == Part::captures && is_captured_before(statement);
  if (statement.verb == Verb::repeat) {
    return std::any_of(statement.body.begin(), statement.body.end(),
                       [&](const auto& line) { return line.statement && belongs(*line.statement); });
  }
  return in_graph_ || part_ == Part::run;
}

// Any of the graphs that it declares.
bool Statements::is_captured_before(const Statement& graph) const {
  for (std::size_t g = 0; g < survey_.graphs.size(); ++g) {
    if (survey_.graphs[g].statement == &graph && !program_.graphs[g].captured_in_run) return true;
  }
  return false;
}

Result<Lines> Statements::run() {
  Lines lines = TRY(part(Part::run));
  for (const program::Operation& operation : program_.operations) {
    if (operation.line != 0) continue;
    if (const auto* join = std::get_if<program::op::JoinThread>(&operation.work)) {
      lines.add(fmt::format("  {}.join();", names_.find(Entity::thread, join->thread.value).cpp()));
    } else if (const auto* set = std::get_if<program::op::SetDevice>(&operation.work)) {
      lines.add(fmt::format("  CHECK(cudaSetDevice({}));", set->device.value));
    } else {
      lines.add("  CHECK(cudaDeviceSynchronize());");
    }
  }
  return lines;
}

Result<Lines> Statements::captures() { return part(Part::captures); }

Result<Lines> Statements::part(Part part) {
  part_ = part;
  out_ = Lines();
  current_ = {};
  names_.begin_anew();
  write(syntax_.lines, true);
  if (too_many_)
    return fail(
        ErrorKind::bad_input,
        tr("some names in loops are no plain array (such as `x{{i}}`: letters and one number behind them), so that "
           "the loops are written out, and that comes to more than {} lines of C++; name them so, or repeat "
           "less often",
           kMostLines));
  return std::move(out_);
}

void Statements::write(const Body& body, bool outermost) {
  bool blank = false, any = false;
  for (const auto& line : body) {
    if (!line.statement) {
      blank |= program::syntax::blank(line);
      continue;
    }
    if (!belongs(*line.statement)) continue;
    if (out_.count() > kMostLines) {
      too_many_ = true;
      return;
    }
    if (blank && any && (outermost || part_ == Part::run)) out_.add("");
    blank = false;
    any = true;
    for (const std::string& comment : survey_.above[&*line.statement]) {
      out_.add(comment.empty() ? "" : std::string(2 * depth_, ' ') + comment, line.statement->location.line);
    }
    write(*line.statement, comment_text(line.comment));
  }
}

void Statements::write(const Statement& statement, const std::string& comment) {
  device_ = statement.stream ? device_of(*statement.stream) : current_;
  switch (statement.verb) {
    case Verb::repeat: return repeat(statement, comment);
    case Verb::graph: return graph(statement, comment);
    case Verb::thread: return thread(statement, comment);
    case Verb::kernel: return launch_kernel(statement, comment);
    case Verb::own: return launch_own(statement, comment);
    default: return call(statement, comment);
  }
}

void Statements::add(const std::string& text, const Statement& statement, const std::string& comment) {
  code_ += text + '\n';
  std::string line = std::string(2 * depth_, ' ') + text;
  std::size_t indent = 2 * depth_ + 4;
  while (line.size() > kColumns) {
    const std::size_t comma = line.rfind(", ", kColumns - 1);
    if (comma == std::string::npos || comma < indent) break;
    out_.add(line.substr(0, comma + 1), statement.location.line);
    line = std::string(indent, ' ') + line.substr(comma + 2);
  }
  if (!comment.empty()) line += "  " + comment;
  out_.add(line, statement.location.line);
}

void Statements::check(const std::string& call, const Statement& statement, const std::string& comment) {
  add(fmt::format("CHECK({});", call), statement, comment);
}

void Statements::repeat(const Statement& statement, const std::string& comment) {
  const auto& count = std::get<Number>(statement.arguments[0]);
  if (!survey_.written_out.contains(&statement)) {
    const std::string variable =
        names_.unused(statement.variable ? std::string_view(statement.variable->text) : "pass");
    add(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1}) {{", survey_.wide ? "long long" : "int", variable,
                    cpp(count, variables_)),
        statement, comment);
    variables_.push({statement.variable ? std::string_view(statement.variable->text) : "", variable, {}});
    ++depth_;
    write(statement.body, false);
    --depth_;
    add("}", statement);
    names_.free(variable);
    return variables_.pop();
  }
  const std::int64_t passes = variables_.value(count).value_or(0);
  const std::string name = statement.variable ? statement.variable->text : "pass";
  variables_.push({statement.variable ? std::string_view(statement.variable->text) : "", {}, 0});
  for (std::int64_t pass = 0; pass < passes && !too_many_; ++pass) {
    variables_.top().value = pass;
    add(fmt::format("// {} = {}", name, pass), statement);
    write(statement.body, false);
  }
  variables_.pop();
}

void Statements::graph(const Statement& statement, const std::string& comment) {
  const auto found = names_.find(name_at(statement, 0), variables_, {Entity::graph});
  if (!found || program_.graphs[found->id].captured_in_run) return;
  const std::string graph = found->cpp(), origin = stream(name_at(statement, 2));
  const DeviceId device = device_of(name_at(statement, 2));
  add("{", statement, comment);
  ++depth_;
  if (device != DeviceId{}) check(fmt::format("cudaSetDevice({})", device.value), statement, {});
  capture_calls(statement, graph, statement);
  check(fmt::format("cudaGraphUpload({}, {})", graph, origin), statement, {});
  check(fmt::format("cudaStreamSynchronize({})", origin), statement, {});
  if (device != DeviceId{}) check("cudaSetDevice(0)", statement, {});
  --depth_;
  add("}", statement);
}

void Statements::capture_calls(const Statement& graph, const std::string& made, const Statement& by) {
  const std::string origin = stream(name_at(graph, 2));
  const auto* const mode = option(graph, "mode");
  const std::string_view word = mode == nullptr ? "" : std::string_view(std::get<Word>(*mode->value).text);
  const char* const modes = word == "global"    ? "cudaStreamCaptureModeGlobal"
                            : word == "relaxed" ? "cudaStreamCaptureModeRelaxed"
                                                : "cudaStreamCaptureModeThreadLocal";
  check(fmt::format("cudaStreamBeginCapture({}, {})", origin, modes), by, {});
  in_graph_ = true;
  write(graph.body, false);
  in_graph_ = false;
  add(fails_ ? "cudaGraph_t captured = nullptr;" : "cudaGraph_t captured;", by);
  check(fmt::format("cudaStreamEndCapture({}, &captured)", origin), by, {});
  check(fmt::format("cudaGraphInstantiate(&{}, captured, 0)", made), by, {});
  if (fails_)
    add("if (captured != nullptr) CHECK(cudaGraphDestroy(captured));", by);
  else
    check("cudaGraphDestroy(captured)", by, {});
}

void Statements::capture(const Statement& statement, const std::string& comment) {
  const auto found = names_.find(name_at(statement, 0), variables_, {Entity::graph});
  if (!found) return;
  const Survey::Graph& graph = survey_.graphs[found->id];
  add("{", statement, comment);
  ++depth_;
  const Variables here = std::exchange(variables_, graph.variables);
  capture_calls(*graph.statement, found->cpp(), statement);
  variables_ = here;
  --depth_;
  add("}", statement);
}

void Statements::thread(const Statement& statement, const std::string& comment) {
  names_.begin(name_at(statement, 0), variables_);
  add(fmt::format("{} = std::thread([{}] {{", place(name_at(statement, 0), {Entity::thread}),
                  variables_.in_loop() ? "=" : ""),
      statement, comment);
  ++depth_;
  const DeviceId current = std::exchange(current_, DeviceId{});
  write(statement.body, false);
  current_ = current;
  --depth_;
  add("});", statement);
}

std::string Statements::place(const Name& name, std::initializer_list<Entity> among, std::string_view suffix) const {
  const auto found = names_.find(name, variables_, among);
  return found ? found->cpp(suffix) : std::string();
}

bool says(std::string_view code, std::string_view word) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = code.find(word); at != std::string_view::npos; at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !in_word(code[at - 1])) && (end == code.size() || !in_word(code[end]))) return true;
  }
  return false;
}

std::string Statements::event(const Name& name) const {
  const auto found = names_.find(name, variables_, {Entity::event});
  if (!found) return {};
  return found->cpp(in_graph_ && has_captured(*found->named) ? "_captured" : "");
}

std::string Statements::stream(const Name& name) const {
  if (name.text == "default") return program_.default_per_thread ? "cudaStreamPerThread" : "cudaStreamLegacy";
  if (name.text == "per-thread") return "cudaStreamPerThread";
  return place(name, {Entity::stream});
}

// "cudaEventQuery(e)", "cudaStreamQuery(A)"
std::string Statements::asked(const Name& name, std::string_view what) const {
  const auto at = names_.find(name, variables_, {Entity::stream, Entity::event});
  if (at && at->named->entity == Entity::event) return fmt::format("cudaEvent{}({})", what, at->cpp());
  return fmt::format("cudaStream{}({})", what, stream(name));
}

DeviceId Statements::device_of(const Name& stream) const {
  if (stream.text == "default" || stream.text == "per-thread") return current_;
  const auto found = names_.find(stream, variables_, {Entity::stream});
  return found ? program_.streams[found->id].device : current_;
}

DeviceId Statements::device_at(const Range& range) const {
  return {static_cast<std::uint32_t>(variables_.value(*range.device).value_or(0))};
}

Statements::RangeText Statements::range(const Range& range, DeviceId device) const {
  const auto found = names_.find(range.buffer, variables_, {Entity::buffer});
  if (!found) return {};
  const program::Buffer& buffer = program_.buffers[found->id];
  const bool managed = buffer.host == program::HostMemory::managed;
  const bool first_side = buffer.device == device;
  RangeText text{found->cpp(managed ? "" : "_host"), found->cpp(first_side ? "" : suffix_of_device(device.value)), {}};
  if (!range.offset) {
    text.bytes = found->bytes();
    return text;
  }
  text.bytes = cpp_bytes(*range.bytes, variables_);
  const auto value = variables_.value(*range.offset);
  if (value && *value == 0) return text;
  const std::string offset = " + " + cpp_bytes(*range.offset, variables_);
  text.host += offset;
  text.device += offset;
  return text;
}

std::string Statements::number(const Statement& statement, std::size_t argument) const {
  return cpp(std::get<Number>(statement.arguments[argument]), variables_);
}

const program::syntax::Option* Statements::option(const Statement& statement, std::string_view key) const {
  const auto at = std::find_if(statement.options.begin(), statement.options.end(),
                               [&](const program::syntax::Option& one) { return one.key == key; });
  return at == statement.options.end() ? nullptr : &*at;
}

std::vector<std::string> Statements::functions() const {
  std::vector<std::string> all = helpers_;
  for (const LaunchedKernel& one : kernels_) all.push_back(one.definition);
  for (const std::string_view function :
       {kLaunch, kBusy, kHostFunction, kCallback, kDone, kDoneOnly, kAnswer, kAnswerOnly, kElapsed, kAttributes,
        kCaptureInfo, kTouch, kPrefetch, kPeerAccess, kFaultAddress, kFaultAssert, kFaultTrap, kFaultLaunch,
        kLastError}) {
    if (!functions_.contains(function)) continue;
    std::string& text = all.emplace_back(function);
    // Each has its own then.
    if (askers(function).size() > 1) text.insert(text.find('\n') + 1, "thread_local ");
  }
  return all;
}

// The host threads that call a function that keeps what the last call said; of others none.
std::set<ThreadId> Statements::askers(std::string_view function) const {
  const auto asks = [&](const program::Operation& one) {
    return function == kElapsed       ? std::holds_alternative<program::op::Elapsed>(one.work)
           : function == kAttributes  ? std::holds_alternative<program::op::Attributes>(one.work)
           : function == kCaptureInfo ? std::holds_alternative<program::op::CaptureInfo>(one.work)
                                      : false;
  };
  std::set<ThreadId> all;
  for (const program::Operation& one : program_.operations) {
    if (asks(one)) all.insert(one.thread);
  }
  for (const program::Graph& graph : program_.graphs) {
    if (!graph.captured_in_run && std::ranges::any_of(graph.body, asks)) all.insert(ThreadId{0});
  }
  return all;
}

// Of one thread alone, which has been joined, or else of main's own.
bool Statements::is_printed(std::string_view function) const {
  const std::set<ThreadId> all = askers(function);
  return all.size() == 1 || all.contains(ThreadId{0});
}

}  // namespace streamscope::cuda_source
