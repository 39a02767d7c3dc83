#include "engine/cuda_source/survey.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "engine/cuda_source/expressions.h"

namespace streamscope::cuda_source {
namespace {

using program::syntax::Name;
using program::syntax::Number;
using program::syntax::Range;
using program::syntax::Verb;
using Statement = program::syntax::Statement;
using Body = std::vector<program::syntax::Line>;

// Calls each(name) for the names of a statement, and each(number) for its numbers.
template <class EachName, class EachNumber>
void visit(const program::syntax::Statement& statement, const EachName& each_name, const EachNumber& each_number) {
  if (statement.stream) each_name(*statement.stream);
  for (const auto& argument : statement.arguments) {
    if (const auto* name = std::get_if<Name>(&argument)) each_name(*name);
    if (const auto* number = std::get_if<Number>(&argument)) each_number(*number);
    if (const auto* range = std::get_if<Range>(&argument)) {
      each_name(range->buffer);
      if (range->offset) each_number(*range->offset);
      if (range->bytes) each_number(*range->bytes);
      if (range->device) each_number(*range->device);
    }
  }
  for (const auto& option : statement.options) {
    if (!option.value) continue;
    if (const auto* number = std::get_if<Number>(&*option.value)) each_number(*number);
  }
}

class Surveyor {
 public:
  Surveyor(const program::Program& program, const Names& names) : program_(program), names_(names) {}

  Survey run(const program::Syntax& syntax) {
    take_comments(syntax.lines, true);
    Variables around_graphs;
    find_graphs(syntax.lines, around_graphs);
    std::vector<const Statement*> around;
    find_written_out(syntax.lines, around);
    find_largest_numbers(syntax.lines);
    find_captured();
    return std::move(out_);
  }

 private:
  // Comments belong to the statement below them; what comes before the first one, a blank line behind it, to the file.
  void take_comments(const Body& body, bool outermost) {
    std::vector<std::string> waiting;
    bool first = outermost;
    for (const auto& line : body) {
      if (line.statement) {
        out_.above[&*line.statement] = waiting;
        if (declares(line.statement->verb)) out_.above_line[line.statement->location.line] = waiting;
        take_comments(line.statement->body, false);
        waiting.clear();
        first = false;
      } else if (!blank(line)) {
        waiting.push_back(comment_text(line.comment));
      } else if (first) {
        out_.header.insert(out_.header.end(), waiting.begin(), waiting.end());
        waiting.clear();
        first = false;
      } else if (!waiting.empty()) {
        waiting.emplace_back();
      }
    }
  }

  static bool has_graph(const Body& body) {
    return std::ranges::any_of(body, [](const auto& line) {
      return line.statement && (line.statement->verb == Verb::graph || has_graph(line.statement->body));
    });
  }
  // In the order in which check() numbers them.
  void find_graphs(const Body& body, Variables& around) {
    for (const auto& line : body) {
      if (!line.statement) continue;
      const Statement& statement = *line.statement;
      if (statement.verb == Verb::graph) out_.graphs.push_back({&statement, around});
      if (statement.verb != Verb::repeat || !has_graph(statement.body)) continue;
      const std::int64_t passes = around.value(std::get<Number>(statement.arguments[0])).value_or(0);
      around.push({statement.variable ? std::string_view(statement.variable->text) : "", {}, 0});
      for (std::int64_t pass = 0; pass < passes; ++pass) {
        around.top().value = pass;
        find_graphs(statement.body, around);
      }
      around.pop();
    }
  }
  bool captured_in_run(const Statement& graph) const {
    for (std::size_t g = 0; g < out_.graphs.size(); ++g) {
      if (out_.graphs[g].statement == &graph && program_.graphs[g].captured_in_run) return true;
    }
    return false;
  }

  // Whether the things of an array are of several devices, or only some have a host side of their own, so that what is
  // called depends on which one it is.
  bool differ(const Named& named) const {
    const auto devices = [&](std::uint32_t id) {
      if (named.entity == Entity::stream) return std::vector{program_.streams[id].device};
      std::vector<DeviceId> all;
      if (named.entity != Entity::buffer) return all;
      all = program_.buffers[id].more_devices;
      all.push_back(program_.buffers[id].device);
      return all;
    };
    const auto managed = [&](std::uint32_t id) {
      return named.entity == Entity::buffer && program_.buffers[id].host == program::HostMemory::managed;
    };
    const std::uint32_t first = named.ids.front();
    return std::any_of(named.ids.begin(), named.ids.end(), [&](std::uint32_t id) {
      return devices(id) != devices(first) || managed(id) != managed(first);
    });
  }

  // A loop must be written out where a name in it is no place in an array, where an option that decides the text of a
  // kernel differs from pass to pass, or where the run captures one graph after the other.
  void find_written_out(const Body& body, std::vector<const Statement*>& around) {
    const auto mark = [&](const program::syntax::Expression& expression) {
      for (const auto& node : expression.nodes) {
        const auto at = std::find_if(around.rbegin(), around.rend(), [&](const Statement* one) {
          return one->variable && one->variable->text == node.variable;
        });
        if (at != around.rend()) out_.written_out.insert(*at);
      }
    };
    for (const auto& line : body) {
      if (!line.statement) continue;
      const Statement& statement = *line.statement;
      const bool is_declaration = declares(statement.verb);
      visit(
          statement,
          [&](const Name& name) {
            const auto place = names_.find(
                name, variables_, {Entity::buffer, Entity::stream, Entity::event, Entity::graph, Entity::thread});
            if (place) out_.first_line.emplace(place->named, statement.location.line);
            if (!is_declaration && names_.changes(name)) out_.written_out.insert(around.begin(), around.end());
            if (is_declaration || (place && !differ(*place->named))) return;
            for (const auto& piece : name.pieces) mark(piece.expression);
          },
          [](const Number&) {});
      for (const auto& argument : statement.arguments) {
        const auto* const range = std::get_if<Range>(&argument);
        if (range != nullptr && range->device) mark(range->device->expression);
      }
      if (!is_declaration) {
        if (statement.kernel != nullptr) {
          for (const auto& option : statement.options) {
            const auto* const number = option.value ? std::get_if<Number>(&*option.value) : nullptr;
            const std::size_t of = statement.kernel->find(option.key);
            if (number != nullptr && of < statement.kernel->options.size() && !statement.kernel->options[of].argument)
              mark(number->expression);
          }
        }
      }
      // Which graph is captured, and where, is known of each pass only.
      if (statement.verb == Verb::capture) {
        for (const auto& piece : std::get<Name>(statement.arguments[0]).pieces) mark(piece.expression);
      }
      if (statement.verb == Verb::graph && captured_in_run(statement))
        out_.written_out.insert(around.begin(), around.end());
      if (statement.verb == Verb::device) out_.written_out.insert(around.begin(), around.end());
      if (statement.verb == Verb::repeat) around.push_back(&statement);
      find_written_out(statement.body, around);
      if (statement.verb == Verb::repeat) around.pop_back();
    }
  }

  void find_largest_numbers(const Body& body) {
    const auto look = [&](const program::syntax::Expression& expression) {
      if (!expression.nodes.empty())
        out_.wide |= magnitude(expression, variables_) > std::numeric_limits<std::int32_t>::max();
    };
    for (const auto& line : body) {
      if (!line.statement) continue;
      const Statement& statement = *line.statement;
      visit(
          statement,
          [&](const Name& name) {
            for (const auto& piece : name.pieces) look(piece.expression);
          },
          [&](const Number& number) { look(number.expression); });
      if (statement.verb == Verb::repeat && statement.variable) {
        const auto& count = std::get<Number>(statement.arguments[0]);
        const double most =
            count.expression.nodes.empty() ? static_cast<double>(count.value) : magnitude(count.expression, variables_);
        variables_.push({statement.variable->text, {}, {}, static_cast<std::int64_t>(std::min(most, 1e18))});
        out_.wide |= most > std::numeric_limits<std::int32_t>::max();
      }
      find_largest_numbers(statement.body);
      if (statement.verb == Verb::repeat && statement.variable) variables_.pop();
    }
  }

  void find_captured() {
    std::set<const Named*> in_graphs, elsewhere;
    const auto event_of = [&](const program::Work& work, std::set<const Named*>& to) {
      std::visit(
          [&](const auto& one) {
            if constexpr (requires { one.event; }) to.insert(names_.find(Entity::event, one.event.value).named);
            if constexpr (std::is_same_v<std::decay_t<decltype(one)>, program::op::Elapsed>) {
              for (const EventId each : {one.from, one.to}) to.insert(names_.find(Entity::event, each.value).named);
            }
          },
          work);
    };
    for (const program::Graph& graph : program_.graphs) {
      for (const program::Operation& operation : graph.body)
        event_of(operation.work, program::becomes_node(operation.work) ? elsewhere : in_graphs);
    }
    for (const program::Operation& operation : program_.operations) {
      if (operation.launch == kNoOperation) event_of(operation.work, elsewhere);
    }
    std::set_intersection(in_graphs.begin(), in_graphs.end(), elsewhere.begin(), elsewhere.end(),
                          std::inserter(out_.captured_too, out_.captured_too.end()));
  }

  const program::Program& program_;
  const Names& names_;
  Variables variables_;
  Survey out_;
};

}  // namespace

Survey survey(const program::Syntax& syntax, const program::Program& program, const Names& names) {
  return Surveyor(program, names).run(syntax);
}

bool declares(Verb verb) {
  return verb == Verb::buffer || verb == Verb::stream || verb == Verb::streams || verb == Verb::event ||
         verb == Verb::own_kernel || verb == Verb::default_stream;
}

std::string comment_text(std::string_view comment) {
  if (comment.empty()) return {};
  std::string text = "//" + std::string(comment.substr(1));
  // A backslash at the end would take the next line in.
  const std::size_t last = text.find_last_not_of(" \t\r");
  if (text[last] == '\\' || text.substr(0, last + 1).ends_with("?\?/")) text += " .";
  return text;
}

}  // namespace streamscope::cuda_source
