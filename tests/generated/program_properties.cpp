// What must hold of a program that was read, whatever its text: what program.h promises.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "engine/program/read_program.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"
#include "tests/generated/property.h"

namespace streamscope::generated {
namespace {

using program::Program;
using program::syntax::Line;
using program::syntax::Statement;

bool lies_inside(const Program& program, const program::Range& range) {
  if (range.bytes == 0) return true;  // an operand that is not there
  if (range.buffer.value >= program.buffers.size()) return false;
  const std::uint64_t bytes = program.buffers[range.buffer.value].bytes;
  return range.offset < bytes && range.bytes <= bytes - range.offset;
}

// Of everything that an operation may have.
std::string wrong_in(const Program& program, const program::Work& work, OperationIndex records) {
  return std::visit(
      [&](const auto& one) -> std::string {
        if constexpr (requires { one.range; }) {
          if (!lies_inside(program, one.range)) return "its range is not inside its buffer";
        }
        if constexpr (requires { one.from.bytes; }) {
          if (!lies_inside(program, one.from)) return "what it reads is not inside its buffer";
        }
        if constexpr (requires { one.to.bytes; }) {
          if (!lies_inside(program, one.to)) return "what it writes is not inside its buffer";
          if (program::moved_bytes(one.to) != program::moved_bytes(one.from)) return "it reads other than it writes";
        }
        if constexpr (requires {
                        one.host;
                        one.device;
                      }) {
          if (!lies_inside(program, one.host) || !lies_inside(program, one.device))
            return "it is not inside its buffers";
          if (program::moved_bytes(one.host) != program::moved_bytes(one.device))
            return "it reads other than it writes";
        }
        if constexpr (requires {
                        one.event;
                        one.record;
                      }) {
          if (one.event.value >= program.events.size()) return "there is no such event";
          if (one.record != kNoOperation && one.record >= records) return "it is bound to a record that comes later";
        }
        if constexpr (requires { one.duration; }) {
          if (one.duration < 0) return "it takes less than no time";
        }
        if constexpr (requires { one.graph; }) {
          if (one.graph.value >= program.graphs.size()) return "there is no such graph";
        }
        if constexpr (requires { one.kernel; }) {
          if (one.kernel >= program.kernels.size()) return "there is no such kernel";
          const kernels::Choice& choice = program.kernels[one.kernel];
          if (const auto problem = choice.kernel->check(choice.values)) return problem->message;
        }
        return {};
      },
      work);
}

// Each node comes, by the edges, behind all that its stream and the events of the body put it behind.
std::string wrong_in(const Program& program, const program::Graph& graph) {
  using Before = std::vector<bool>;  // by node
  const Before none(graph.nodes.size(), false);
  const auto join = [](Before& to, const Before& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = to[i] || from[i];
  };
  std::map<std::uint32_t, Before> streams, events;
  std::vector<Before> closure(graph.nodes.size(), none);
  std::size_t node = 0;
  for (std::uint32_t body = 0; body < graph.body.size(); ++body) {
    const program::Operation& operation = graph.body[body];
    if (!operation.stream) continue;  // what the host asks
    const bool is_node = program::becomes_node(operation.work);
    Before& stream = streams.try_emplace(operation.stream->value, none).first->second;
    if (const auto* record = std::get_if<program::op::Record>(&operation.work); record != nullptr && !is_node) {
      events[record->event.value] = stream;
    } else if (const auto* wait = std::get_if<program::op::Wait>(&operation.work); wait != nullptr && !is_node) {
      if (!events.contains(wait->event.value)) return "a wait for an event that the graph has not recorded";
      join(stream, events[wait->event.value]);
    } else {
      if (node >= graph.nodes.size() || graph.nodes[node].body != body)
        return "its nodes are not its body's operations";
      for (const std::uint32_t after : graph.nodes[node].after) {
        if (after >= node) return "a node comes behind a later one";
        closure[node][after] = true;
        join(closure[node], closure[after]);
      }
      if (closure[node] != stream)
        return fmt::format("node {} is not behind what its stream and events put it behind", node);
      stream[node++] = true;
    }
  }
  Before all(graph.nodes.size(), true);
  if (node != graph.nodes.size() || streams[graph.origin.value] != all)
    return "not all of it is joined to " + program.streams[graph.origin.value].name;
  return {};
}

// A repeat's lines as often as it says, each `{...}` with the variable's value in it.
class Unrolled {
 public:
  std::string text(const std::vector<Line>& lines) {
    for (const Line& line : lines) {
      if (line.statement) statement(*line.statement);
    }
    return std::move(out_);
  }

 private:
  void statement(const Statement& of) {
    if (of.verb == program::syntax::Verb::repeat) {
      const std::int64_t passes = value_of(of);
      for (std::int64_t pass = 0; pass < passes; ++pass) {
        if (of.variable) values_[of.variable->text] = pass;
        for (const Line& line : of.body) {
          if (line.statement) statement(*line.statement);
        }
        if (of.variable) values_.erase(of.variable->text);
      }
      return;
    }
    Statement head = of;
    head.body.clear(), head.closing_comment.clear();
    std::string printed = with_values(program::print({{Line{std::move(head), {}}}}));
    if (of.opens_block) printed.resize(printed.rfind('}'));
    out_ += printed;
    if (!of.opens_block) return;
    for (const Line& line : of.body) {
      if (line.statement) statement(*line.statement);
    }
    out_ += "}\n";
  }
  // The generator writes how often only in plain numbers and sums of two: those are read as any other number.
  std::int64_t value_of(const Statement& of) {
    const auto& count = std::get<program::syntax::Number>(of.arguments[0]);
    if (count.expression.nodes.empty()) return count.value;
    const auto read = program::read_program(fmt::format("buffer x {}\n", with_values(count.text)), "count");
    return read ? static_cast<std::int64_t>(read->program.buffers[0].bytes) : 0;
  }
  std::string with_values(const std::string& line) const {
    std::string out;
    int braces = 0;
    for (std::size_t at = 0; at < line.size();) {
      if (line[at] == '{') ++braces;
      if (line[at] == '}') --braces;
      std::size_t end = at + 1;
      const auto is_word = [&](std::size_t i) {
        return std::isalnum(static_cast<unsigned char>(line[i])) != 0 || line[i] == '_';
      };
      while (is_word(at) && end < line.size() && is_word(end)) ++end;
      const std::string word = line.substr(at, end - at);
      const auto value = values_.find(word);
      out += braces > 0 && value != values_.end() ? std::to_string(value->second) : word;
      at = end;
    }
    return out;
  }

  std::string out_;
  std::map<std::string, std::int64_t> values_;
};

}  // namespace

std::string what_is_wrong_in(const Program& program) {
  for (OperationIndex i = 0; i < program.operations.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    const auto wrong = [&](std::string_view what) {
      return fmt::format("{}: {}", program::describe(program, i), what);
    };
    if (operation.stream && operation.stream->value >= program.streams.size()) return wrong("there is no such stream");
    if (operation.thread.value >= program.threads.size()) return wrong("there is no such thread");
    if (operation.launch != kNoOperation && operation.launch >= i) return wrong("its graph is launched later");
    if (auto what = wrong_in(program, operation.work, i); !what.empty()) return wrong(what);
  }
  for (const program::Graph& graph : program.graphs) {
    if (auto what = wrong_in(program, graph); !what.empty()) return fmt::format("graph {}: {}", graph.name, what);
  }
  const bool ends =
      !program.operations.empty() && std::holds_alternative<program::op::SyncDevice>(program.operations.back().work);
  return ends ? std::string() : "it does not end with a synchronisation of the device";
}

std::string unrolls(std::string_view text) {
  if (text.find("repeat") == std::string_view::npos) return {};
  const std::string unrolled = Unrolled().text(program::parse(text).syntax.lines);
  return same_program(text, unrolled, "with its repeats written out");
}

std::string same_program(std::string_view text, std::string_view other, std::string_view how) {
  const auto first = program::read_program(text, "text"), second = program::read_program(other, "other");
  if (!first) return {};
  if (!second) return fmt::format("{} it is wrong: {}\n{}", how, second.error().message, other);
  const Program &a = first->program, &b = second->program;
  if (a.operations.size() != b.operations.size())
    return fmt::format("{} there are {} operations and not {}\n{}", how, b.operations.size(), a.operations.size(),
                       other);
  const auto without_line = [](std::string all) {  // "operation 12, line 7: S0: h2d x[0:1048576]"
    const std::size_t line = all.find(", line "), behind = all.find(':', line);
    return line == std::string::npos ? all : all.erase(line, behind - line);
  };
  for (OperationIndex i = 0; i < a.operations.size(); ++i) {
    if (without_line(program::describe(a, i)) != without_line(program::describe(b, i)))
      return fmt::format("{} '{}' is '{}'", how, program::describe(a, i), program::describe(b, i));
  }
  return {};
}

}  // namespace streamscope::generated
