#include "engine/program/check/expand.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/program/check/weigh.h"
#include "engine/program/syntax/cursor.h"
#include "engine/program/syntax/grammar.h"

namespace streamscope::program {
namespace {

using syntax::Line;
using syntax::Statement;
using syntax::Verb;

bool declares(Verb verb) {
  return verb == Verb::buffer || verb == Verb::stream || verb == Verb::streams || verb == Verb::event;
}

// Why the statement cannot stand in a graph (cuda-rules 19); empty where it can.
std::string_view not_captured(const Statement& statement) {
  switch (statement.verb) {
    case Verb::sync:
    case Verb::poll:
      return "the host cannot wait for streams while they are captured (cudaErrorStreamCaptureUnsupported); wait "
             "behind "
             "`launch`";
    case Verb::memcpy:
      return "a blocking copy uses the legacy default stream, which cannot be captured; write `A: h2d x` or `A: d2h x`";
    case Verb::work:
    case Verb::touch:
    case Verb::join:
      return "what the host thread does itself is not captured; write it outside the graph, or use `A: hostfn 50us`";
    case Verb::malloc:
    case Verb::free:
    case Verb::malloc_async:
    case Verb::free_async: return "memory is not allocated or freed in a graph here; do it outside the graph";
    case Verb::prefetch: return "a prefetch cannot stand in a graph here; write it outside the graph";
    case Verb::launch: return "a graph cannot be launched in another one here; write it outside the graph";
    case Verb::buffer:
    case Verb::stream:
    case Verb::streams:
    case Verb::event: return "a graph holds work only; move the declaration before the graph";
    default: return {};
  }
}

class Walk {
 public:
  Walk(Expansion& expansion, const Syntax& syntax) : x_(expansion), weights_(syntax) {}

  void lines(const std::vector<Line>& all) {
    for (const Line& line : all) {
      if (line.statement) one(*line.statement);
    }
  }

 private:
  void one(const Statement& statement) {
    if (statement.opens_block) return block(statement);
    if (statement.broken && !has_all_arguments(statement)) return forgive(x_, statement);
    count(statement);
    if (x_.capture) return captured(statement);
    if (declares(statement.verb)) {
      if (x_.thread != ThreadId{0} && statement.verb != Verb::event) {
        x_.report.error(statement.place,
                        "buffers and streams are made before the run begins; move the declaration out of "
                        "the thread, before it");
      }
      return declare(x_, statement);
    }
    auto operation = make_operation(x_, statement);
    if (!operation || over_) return;
    const auto index = static_cast<OperationIndex>(x_.program.operations.size());
    if (const auto* record = std::get_if<op::Record>(&operation->work)) x_.last_record[record->event.value] = index;
    x_.program.operations.push_back(std::move(*operation));
    if (const auto* launch = std::get_if<op::Launch>(&x_.program.operations.back().work)) {
      nodes(launch->graph, index, statement);
    }
  }

  void captured(const Statement& statement) {
    if (const auto why = not_captured(statement); !why.empty()) {
      x_.report.error(statement.place, std::string(why));
      x_.capture->miss();
      if (declares(statement.verb)) declare(x_, statement);
      return;
    }
    auto operation = make_operation(x_, statement);
    if (!operation) return x_.capture->miss();
    if (over_) return;
    if (const auto* record = std::get_if<op::Record>(&operation->work)) {
      x_.captured_line[record->event.value] = statement.place.line;
    }
    x_.capture->add(std::move(*operation), statement.place);
  }

  // The launch's nodes, as operations of their own.
  void nodes(GraphId graph, OperationIndex launch, const Statement& statement) {
    const Graph& launched = x_.program.graphs[graph.value];
    const Operation call = x_.program.operations[launch];
    used_ += launched.nodes.size();
    edges_ += x_.graph_edges[graph.value];
    if (used_ > kMaximumOperations || edges_ > kMaximumGraphEdges) {
      over_ = true;
      return x_.report.error(
          statement.place,
          used_ > kMaximumOperations
              ? fmt::format(
                    "with the nodes of '{}' the program expands to more than {} operations by this line{}; launch "
                    "less often",
                    launched.name, kMaximumOperations, x_.scope.values())
              : fmt::format(
                    "the launches up to this line have more than {} edges between nodes{}; launch less often, or "
                    "let fewer streams of the graph wait for each other",
                    kMaximumGraphEdges, x_.scope.values()));
    }
    const auto& lanes = x_.node_lanes[graph.value];
    for (std::size_t i = 0; i < launched.nodes.size(); ++i) {
      const Operation& body = launched.body[launched.nodes[i].body];
      x_.program.operations.push_back({body.work, lanes[i] ? lanes[i] : call.stream, call.thread, body.line, launch});
    }
  }

  // An option was wrong, or something stood behind; the rest of the line is worth looking at.
  static bool has_all_arguments(const Statement& statement) {
    return statement.verb != Verb::none && statement.verb != Verb::repeat &&
           statement.arguments.size() == grammar::form(statement.verb).arguments.size();
  }

  void block(const Statement& statement) {
    if (statement.broken) {
      forgive(x_, statement);
      ++x_.scope.forgiving;
      body_once(statement);
      --x_.scope.forgiving;
      return;
    }
    if (statement.verb == Verb::graph) return graph(statement);
    if (statement.verb == Verb::thread) return thread(statement);
    repeat(statement);
  }

  // One more statement; false where it is too many.
  bool count(const Statement& statement) {
    if (++used_ > kMaximumOperations && !over_) {
      over_ = true;
      x_.report.error(statement.place,
                      fmt::format("the program expands to more than {} operations by this line{}; repeat less often",
                                  kMaximumOperations, x_.scope.values()));
    }
    return !over_;
  }

  void graph(const Statement& statement) {
    count(statement);
    if (x_.capture || x_.thread != ThreadId{0}) {
      forgive(x_, statement);
      x_.report.error(statement.place, x_.capture ? "a graph is not captured in another one; move it before that graph"
                                                  : "a graph is captured before the run begins; move it out of the "
                                                    "thread, before it");
      if (x_.capture) return x_.capture->miss();
    }
    const auto& name = std::get<syntax::Name>(statement.arguments[0]);
    const auto& origin = std::get<syntax::Name>(statement.arguments[1]);
    std::string text(x_.scope.text(name).value_or(""));
    const GraphId id{static_cast<std::uint32_t>(x_.program.graphs.size())};
    if (text.empty()) {
      forgive(x_, statement);
    } else {
      add_name(x_, name, text, {.kind = NameKind::graph, .id = id.value, .place = name.place});
    }
    Capture capture(x_.report, x_.program, std::move(text), statement.place, stream_to_capture(origin));
    x_.capture = &capture;
    lines(statement.body);
    x_.capture = nullptr;
    if (over_) capture.miss();
    Capture::Finished finished = capture.finish();
    keep(id, std::move(finished), name);
  }

  std::optional<StreamId> stream_to_capture(const syntax::Name& name) {
    const auto text = x_.scope.text(name);
    if (!text) return std::nullopt;
    const Named* named = x_.find(*text);
    if (!named) {
      if (!x_.names.forgiven(*text)) x_.names.unknown(name, *text, static_cast<NameKinds>(NameKind::stream), x_.scope);
      return std::nullopt;
    }
    if (named->kind != NameKind::stream) {
      x_.scope.error(name, fmt::format("'{}' is {}, expected a stream to capture", shown(*text),
                                       words(static_cast<NameKinds>(named->kind))));
      return std::nullopt;
    }
    if (StreamId{named->id} == kLegacyStream) {
      x_.scope.error(name, "the legacy default stream cannot be captured; capture another one, such as `per-thread`");
      return std::nullopt;
    }
    return StreamId{named->id};
  }

  // A lane of its own for each stream of the graph but its origin.
  void keep(GraphId id, Capture::Finished finished, const syntax::Name& name) {
    std::vector<std::optional<StreamId>> lanes(finished.streams.size());
    for (std::size_t i = 1; i < lanes.size(); ++i) {
      if (x_.program.streams.size() >= kMaximumStreams) {
        x_.scope.error(name, fmt::format("more than {} streams, those of graphs counted", kMaximumStreams));
        break;
      }
      lanes[i] = StreamId{static_cast<std::uint32_t>(x_.program.streams.size())};
      const Stream& captured = x_.program.streams[finished.streams[i].value];
      x_.program.streams.push_back(
          {finished.graph.name + "." + captured.name, true, captured.priority, finished.graph.line, std::nullopt, id});
    }
    std::vector<std::optional<StreamId>> of_nodes;
    of_nodes.reserve(finished.of.size());
    for (const std::uint32_t lane : finished.of) of_nodes.push_back(lanes[lane]);
    x_.node_lanes.push_back(std::move(of_nodes));
    x_.graph_edges.push_back(finished.edges);
    x_.program.graphs.push_back(std::move(finished.graph));
  }

  void thread(const Statement& statement) {
    const bool room = count(statement);
    const auto& name = std::get<syntax::Name>(statement.arguments[0]);
    if (x_.capture || x_.thread != ThreadId{0}) {
      forgive(x_, statement);
      x_.report.error(statement.place,
                      x_.capture
                          ? "a host thread does not start in a graph; move it out of the graph"
                          : fmt::format("only the main thread starts others; move this thread behind the '}}' of "
                                        "thread '{}'",
                                        x_.program.threads[x_.thread.value].name));
      if (x_.capture) return x_.capture->miss();
      return lines(statement.body);
    }
    const std::string text(x_.scope.text(name).value_or(""));
    if (x_.program.threads.size() >= kMaximumHostThreads) {
      x_.scope.error(name,
                     fmt::format("more than {} host threads, the main one counted; start fewer", kMaximumHostThreads));
      return forgive(x_, statement);
    }
    const ThreadId id{static_cast<std::uint32_t>(x_.program.threads.size())};
    if (text.empty()) {
      forgive(x_, statement);
    } else {
      add_name(x_, name, text, {.kind = NameKind::thread, .id = id.value, .place = name.place});
    }
    x_.program.threads.push_back({text, statement.place.line});
    x_.host_order.start(static_cast<OperationIndex>(x_.program.operations.size()));
    if (room) x_.program.operations.push_back({op::StartThread{id}, std::nullopt, ThreadId{0}, statement.place.line});
    x_.thread = id;
    lines(statement.body);
    x_.thread = ThreadId{0};
  }

  void repeat(const Statement& statement) {
    if (statement.variable) {
      if (const auto* outer = x_.scope.find(statement.variable->text)) {
        x_.report.error(statement.variable->place,
                        fmt::format("'{}' is the variable of the repeat of line {} already; choose another name",
                                    shown(statement.variable->text), outer->line));
      }
    }
    const auto passes = this->passes(statement);
    if (!passes) return body_once(statement);
    if (statement.variable) x_.scope.push({statement.variable->text, statement.place.line, 0});
    // The limit may be passed in the body: what follows is then read once, for its errors.
    for (std::int64_t pass = 0; pass < *passes && (pass == 0 || !over_); ++pass) {
      if (statement.variable) x_.scope.top().value = pass;
      lines(statement.body);
    }
    if (statement.variable) x_.scope.pop();
  }

  // Nothing after an error.
  std::optional<std::int64_t> passes(const Statement& statement) {
    const auto& count = std::get<syntax::Number>(statement.arguments[0]);
    const auto value = x_.scope.value(count);
    if (!value) return std::nullopt;
    if (*value < 1) {
      x_.scope.error(
          count,
          fmt::format("'{}'{}: a block is repeated at least once; put '#' before its lines to leave it out",
                      shown(count.text), count.expression.nodes.empty() ? "" : fmt::format(" comes to {}", *value)));
      return std::nullopt;
    }
    if (over_) return std::nullopt;
    // Nothing in it can differ from pass to pass.
    const std::uint64_t body = weights_.body(statement).least;
    if (body == 0) return 1;
    const std::uint64_t left = kMaximumOperations - std::min(used_, kMaximumOperations);
    const std::uint64_t all = weights_.passes(statement, static_cast<std::uint64_t>(*value), left, x_.scope);
    if (all <= left) return value;
    over_ = true;
    const std::string others = used_ == 0 ? "" : fmt::format(" after {} others", used_);
    x_.scope.error(count,
                   fmt::format("'{}' passes of this block are more than {} operations{}; a program expands to at most "
                               "{}: repeat less often",
                               shown(count.text), left, others, kMaximumOperations));
    return std::nullopt;
  }

  // For the errors in it; what the variable comes to is not known.
  void body_once(const Statement& statement) {
    if (statement.variable) x_.scope.push({statement.variable->text, statement.place.line, std::nullopt});
    lines(statement.body);
    if (statement.variable) x_.scope.pop();
  }

  Expansion& x_;
  Weights weights_;
  std::uint64_t used_ = 0;   // statements carried out, and nodes launched
  std::uint64_t edges_ = 0;  // of nodes launched
  bool over_ = false;
};

}  // namespace

void expand(Expansion& expansion, const Syntax& syntax) { Walk(expansion, syntax).lines(syntax.lines); }

}  // namespace streamscope::program
