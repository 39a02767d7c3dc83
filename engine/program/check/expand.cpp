#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"
#include "engine/program/check/statement_counts.h"
#include "engine/program/limits.h"
#include "engine/program/syntax/characters.h"
#include "engine/program/syntax/grammar.h"

namespace streamscope::program {
namespace {

using syntax::Line;
using syntax::Statement;
using syntax::Verb;

bool declares(Verb verb) {
  return verb == Verb::buffer || verb == Verb::stream || verb == Verb::streams || verb == Verb::event ||
         verb == Verb::own_kernel;
}

const Statement* first_of(const Syntax& syntax) {
  const auto at = std::find_if(syntax.lines.begin(), syntax.lines.end(),
                               [](const Line& line) { return line.statement.has_value(); });
  return at == syntax.lines.end() ? nullptr : &*at->statement;
}

// Why the statement is not allowed in a graph (docs/cuda-rules.md 19); empty where it is.
std::string_view not_captured(const Statement& statement) {
  switch (statement.verb) {
    case Verb::sync:
    case Verb::poll:
    case Verb::query:
    case Verb::elapsed:
      return tr(
          "the host cannot wait for streams while they are captured (cudaErrorStreamCaptureUnsupported); wait "
          "behind `launch`");
    case Verb::memcpy:
    case Verb::memset_now:
    case Verb::d2d_now:
      return tr(
          "what is given to no stream uses the legacy default stream, which cannot be captured; write `A: h2d x`, "
          "`A: d2h x`, `A: d2d y x` or `A: memset x 0`");
    case Verb::work:
    case Verb::touch:
    case Verb::join:
    case Verb::device:
    case Verb::peer_access:
    case Verb::attributes:
    case Verb::capture:
    case Verb::create_stream:
    case Verb::create_event:
    case Verb::destroy:
    case Verb::last_error:
    case Verb::reset:
      return tr(
          "what the host thread does itself is not captured; write it outside the graph, or use `A: hostfn 50us`");
    case Verb::malloc:
    case Verb::free:
    case Verb::malloc_async:
    case Verb::free_async:
    case Verb::malloc_host:
    case Verb::free_host:
    case Verb::pin:
    case Verb::unpin: return tr("memory is not allocated or freed in a graph here; do it outside the graph");
    case Verb::callback:
      return tr("a callback cannot be captured (cudaErrorStreamCaptureUnsupported); write `A: hostfn 50us`");
    case Verb::peer: return tr("a graph is of one device here; copy between devices outside of it");
    case Verb::fault: return tr("a fault cannot stand in a graph here; write it outside the graph");
    case Verb::prefetch: return tr("a prefetch cannot stand in a graph here; write it outside the graph");
    case Verb::launch: return tr("a graph cannot be launched in another one here; write it outside the graph");
    case Verb::buffer:
    case Verb::stream:
    case Verb::streams:
    case Verb::own_kernel:
    case Verb::event: return tr("a graph holds work only; move the declaration before the graph");
    default: return {};
  }
}

// Some 50 ms: repeats within repeats of a wrong line took up to 5 s before the program was refused.
constexpr std::uint64_t kMostAfterError = 100'000;  // statements

class Expander {
 public:
  Expander(Expansion& expansion, const Syntax& syntax)
      : expansion_(expansion), counts_(syntax), first_(first_of(syntax)) {}

  void lines(const std::vector<Line>& all) {
    for (const Line& line : all) {
      if (line.statement) expand(*line.statement);
    }
  }

 private:
  void expand(const Statement& statement) {
    if (statement.opens_block) return block(statement);
    if (statement.broken && !has_all_arguments(statement)) return suppress(expansion_, statement);
    count(statement);
    if (statement.verb == Verb::default_stream) return default_stream(statement);
    if (expansion_.capture) return captured(statement);
    if (declares(statement.verb)) {
      if (expansion_.reset_line != 0) {
        suppress(expansion_, statement);
        return gone_with_reset(statement);
      }
      if (expansion_.thread != ThreadId{0} && statement.verb != Verb::event) {
        expansion_.diagnostics.error(
            statement.location,
            tr("buffers, streams and kernels are made before the run begins; move the declaration out of "
               "the thread, before it"));
      }
      return declare(expansion_, statement);
    }
    auto operation = build_operation(expansion_, statement);
    if (!operation || limit_passed_) return;
    const auto index = static_cast<OperationIndex>(expansion_.program.operations.size());
    if (const auto* record = std::get_if<op::Record>(&operation->work)) recorded(record->event, index, statement);
    if (kind(operation->work) == OperationKind::sync || kind(operation->work) == OperationKind::poll)
      expansion_.awaited_by_launch.clear();
    expansion_.program.operations.push_back(std::move(*operation));
    const Work& work = expansion_.program.operations.back().work;
    if (const auto* launch = std::get_if<op::Launch>(&work)) return nodes(launch->graph, index, statement);
    if (const auto* capture = std::get_if<op::Capture>(&work)) return calls(capture->graph, index, statement);
  }

  void gone_with_reset(const Statement& statement) {
    expansion_.diagnostics.error(
        statement.location,
        tr("this is made before the run, and line {} resets the device, which takes it away; make it "
           "in the run, or move both above that line",
           expansion_.reset_line));
  }

  void default_stream(const Statement& statement) {
    if (&statement != first_) {
      return expansion_.diagnostics.error(
          statement.location,
          tr("`default-stream` says what all that follows means; make it the first statement of the program"));
    }
    expansion_.program.default_per_thread = std::get<syntax::Word>(statement.arguments[0]).text == "per-thread";
  }

  void captured(const Statement& statement) {
    if (const auto why = not_captured(statement); !why.empty()) {
      expansion_.diagnostics.error(statement.location, std::string(why));
      expansion_.capture->mark_incomplete();
      if (declares(statement.verb)) declare(expansion_, statement);
      return;
    }
    auto operation = build_operation(expansion_, statement);
    if (!operation) return expansion_.capture->mark_incomplete();
    if (limit_passed_) return;
    if (const auto* record = std::get_if<op::Record>(&operation->work); record != nullptr && !record->external) {
      expansion_.captured_line[record->event.value] = statement.location.line;
    }
    expansion_.capture->add(std::move(*operation), statement.location);
  }

  // The launch's nodes, as operations of their own.
  void nodes(GraphId graph, OperationIndex launch, const Statement& statement) {
    const Graph& launched = expansion_.program.graphs[graph.value];
    const Operation call = expansion_.program.operations[launch];
    operations_ += launched.nodes.size();
    edges_ += expansion_.graph_edges[graph.value];
    if (operations_ > kMaximumOperations || edges_ > kMaximumGraphEdges) {
      limit_passed_ = true;
      return expansion_.diagnostics.error(
          statement.location,
          operations_ > kMaximumOperations
              ? tr("with the nodes of '{}' the program expands to more than {} operations by this line{}; launch "
                   "less often",
                   launched.name, kMaximumOperations, expansion_.scope.values())
              : tr("the launches up to this line have more than {} edges between nodes{}; launch less often, or "
                   "let fewer streams of the graph wait for each other",
                   kMaximumGraphEdges, expansion_.scope.values()));
    }
    const auto& lanes = expansion_.node_streams[graph.value];
    for (std::size_t i = 0; i < launched.nodes.size(); ++i) {
      const Operation& body = launched.body[launched.nodes[i].body];
      const auto node = static_cast<OperationIndex>(expansion_.program.operations.size());
      expansion_.program.operations.push_back(
          {body.work, lanes[i] ? lanes[i] : call.stream, call.thread, body.line, launch});
      Work& work = expansion_.program.operations.back().work;
      if (const auto* record = std::get_if<op::Record>(&work)) recorded(record->event, node, statement);
      if (auto* wait = std::get_if<op::Wait>(&work)) {
        wait->record = expansion_.last_record[wait->event.value];
        expansion_.awaited_by_launch[wait->event.value] = statement.location.line;
      }
    }
  }

  // An H100 (CUDA 13.0) held a node that was waiting for the event until this record, too.
  void recorded(EventId event, OperationIndex record, const Statement& statement) {
    expansion_.last_record[event.value] = record;
    const auto launch = expansion_.awaited_by_launch.find(event.value);
    if (launch == expansion_.awaited_by_launch.end()) return;
    expansion_.diagnostics.warning(
        statement.location,
        tr("'{}' is recorded again while the graph that line {} launches may still wait for it, and CUDA may hold the "
           "graph for this record, too; write a `host: sync` between the two, or use another event",
           expansion_.program.events[event.value].name, launch->second));
    expansion_.awaited_by_launch.erase(launch);
  }

  // The calls that capture the graph, behind the one that begins it.
  void calls(GraphId graph, OperationIndex begin, const Statement& statement) {
    const Graph& captured = expansion_.program.graphs[graph.value];
    const ThreadId thread = expansion_.program.operations[begin].thread;
    operations_ += captured.body.size() + 2;
    if (operations_ > kMaximumOperations) {
      limit_passed_ = true;
      return expansion_.diagnostics.error(
          statement.location, tr("with the calls that capture '{}' the program expands to more than {} operations by "
                                 "this line{}; capture less",
                                 captured.name, kMaximumOperations, expansion_.scope.values()));
    }
    const auto add = [&](Work work, std::uint32_t line) {
      expansion_.program.operations.push_back({std::move(work), std::nullopt, thread, line});
    };
    for (std::uint32_t i = 0; i < captured.body.size(); ++i) {
      const Operation& call = captured.body[i];
      const bool asks = std::holds_alternative<op::CaptureInfo>(call.work);
      add(asks ? call.work : op::Capture{graph, CaptureStep::call, i}, call.line);
    }
    add(op::Capture{graph, CaptureStep::end}, statement.location.line);
    add(op::Capture{graph, CaptureStep::instantiate}, statement.location.line);
  }

  // Only an option was wrong, or the end of the line: the rest of it is checked as well.
  static bool has_all_arguments(const Statement& statement) {
    return statement.verb != Verb::none && statement.verb != Verb::repeat &&
           statement.arguments.size() == grammar::form(statement).arguments.size();
  }

  void block(const Statement& statement) {
    if (statement.broken) {
      suppress(expansion_, statement);
      ++expansion_.scope.suppress_unknown;
      body_once(statement);
      --expansion_.scope.suppress_unknown;
      return;
    }
    if (statement.verb == Verb::graph) return graph(statement);
    if (statement.verb == Verb::thread) return thread(statement);
    repeat(statement);
  }

  // Counts one more statement; false where there are too many.
  bool count(const Statement& statement) {
    if (++operations_ > kMaximumOperations && !limit_passed_) {
      limit_passed_ = true;
      expansion_.diagnostics.error(
          statement.location, tr("the program expands to more than {} operations by this line{}; repeat less often",
                                 kMaximumOperations, expansion_.scope.values()));
    }
    // In a program that is refused anyway, later passes could only tell of more errors.
    if (expansion_.diagnostics.failed() && ++after_error_ > kMostAfterError) limit_passed_ = true;
    return !limit_passed_;
  }

  void graph(const Statement& statement) {
    count(statement);
    if (expansion_.reset_line != 0) gone_with_reset(statement);
    if (expansion_.capture || expansion_.thread != ThreadId{0}) {
      suppress(expansion_, statement);
      expansion_.diagnostics.error(statement.location,
                                   expansion_.capture
                                       ? tr("a graph is not captured in another one; move it before that graph")
                                       : tr("a graph is captured before the run begins; move it out of the "
                                            "thread, before it"));
      if (expansion_.capture) return expansion_.capture->mark_incomplete();
    }
    const auto& name = std::get<syntax::Name>(statement.arguments[0]);
    const auto& origin = std::get<syntax::Name>(statement.arguments[2]);
    std::string text(expansion_.scope.text(name).value_or(""));
    const GraphId id{static_cast<std::uint32_t>(expansion_.program.graphs.size())};
    if (text.empty()) {
      suppress(expansion_, statement);
    } else {
      add_name(expansion_, name, text, {.kind = SymbolKind::graph, .id = id.value, .location = name.location});
    }
    Capture capture(expansion_.diagnostics, expansion_.program, std::move(text), statement.location,
                    stream_to_capture(origin), mode_of(statement));
    expansion_.capture = &capture;
    lines(statement.body);
    expansion_.capture = nullptr;
    if (limit_passed_) capture.mark_incomplete();
    Capture::Finished finished = capture.finish();
    add_graph(id, std::move(finished), name);
  }

  // The parser lets no other word through.
  static CaptureMode mode_of(const Statement& statement) {
    const syntax::Option* const mode = find_option(statement, "mode");
    if (mode == nullptr) return CaptureMode::thread_local_;
    return by_name<CaptureMode>(std::get<syntax::Word>(*mode->value).text).value_or(CaptureMode::thread_local_);
  }

  std::optional<StreamId> stream_to_capture(const syntax::Name& name) {
    const Symbol* symbol = expansion_.find_declared(name, SymbolKind::stream);
    if (!symbol) return std::nullopt;
    if (symbol->kind != SymbolKind::stream) {
      expansion_.scope.error(name, tr("'{}' is {}, expected a stream to capture",
                                      printable(*expansion_.scope.text(name)), words(symbol->kind)));
      return std::nullopt;
    }
    if (symbol->made_in_run) {
      expansion_.scope.error(name,
                             tr("'{}' is made in the run (line {}), and a graph is captured before it; declare it "
                                "with `stream {}`",
                                expansion_.program.streams[symbol->id].name, symbol->location.line,
                                expansion_.program.streams[symbol->id].name));
      return std::nullopt;
    }
    if (is_legacy(expansion_.program, StreamId{symbol->id})) {
      expansion_.scope.error(
          name, tr("the legacy default stream cannot be captured; capture another one, such as `per-thread`"));
      return std::nullopt;
    }
    return StreamId{symbol->id};
  }

  // Adds the graph, with a row of its own for each stream of it but its origin.
  void add_graph(GraphId id, Capture::Finished finished, const syntax::Name& name) {
    std::vector<std::optional<StreamId>> lanes(finished.streams.size());
    for (std::size_t i = 1; i < lanes.size(); ++i) {
      if (expansion_.program.streams.size() >= kMaximumStreams) {
        expansion_.scope.error(name, tr("more than {} streams, those of graphs counted", kMaximumStreams));
        break;
      }
      lanes[i] = StreamId{static_cast<std::uint32_t>(expansion_.program.streams.size())};
      const Stream& captured = expansion_.program.streams[finished.streams[i].value];
      expansion_.program.streams.push_back({finished.graph.name + "." + captured.name, true, captured.priority,
                                            finished.graph.line, std::nullopt, id, captured.device});
    }
    std::vector<std::optional<StreamId>> of_nodes;
    of_nodes.reserve(finished.stream_of_node.size());
    for (const std::uint32_t lane : finished.stream_of_node) of_nodes.push_back(lanes[lane]);
    expansion_.node_streams.push_back(std::move(of_nodes));
    expansion_.graph_edges.push_back(finished.edges);
    expansion_.program.graphs.push_back(std::move(finished.graph));
  }

  void thread(const Statement& statement) {
    const bool room = count(statement);
    const auto& name = std::get<syntax::Name>(statement.arguments[0]);
    if (expansion_.capture || expansion_.thread != ThreadId{0}) {
      suppress(expansion_, statement);
      expansion_.diagnostics.error(statement.location,
                                   expansion_.capture
                                       ? tr("a host thread does not start in a graph; move it out of the graph")
                                       : tr("only the main thread starts others; move this thread behind the '}}' of "
                                            "thread '{}'",
                                            expansion_.program.threads[expansion_.thread.value].name));
      if (expansion_.capture) return expansion_.capture->mark_incomplete();
      return lines(statement.body);
    }
    const std::string text(expansion_.scope.text(name).value_or(""));
    if (expansion_.program.threads.size() >= kMaximumHostThreads) {
      expansion_.scope.error(name,
                             tr("more than {} host threads, the main one counted; start fewer", kMaximumHostThreads));
      return suppress(expansion_, statement);
    }
    const ThreadId id{static_cast<std::uint32_t>(expansion_.program.threads.size())};
    if (text.empty()) {
      suppress(expansion_, statement);
    } else {
      add_name(expansion_, name, text, {.kind = SymbolKind::thread, .id = id.value, .location = name.location});
    }
    expansion_.program.threads.push_back({text, statement.location.line});
    if (room)
      expansion_.program.operations.push_back(
          {op::StartThread{id}, std::nullopt, ThreadId{0}, statement.location.line});
    expansion_.thread = id;
    const DeviceId current = std::exchange(expansion_.device, DeviceId{});
    lines(statement.body);
    expansion_.thread = ThreadId{0};
    expansion_.device = current;
  }

  void repeat(const Statement& statement) {
    if (statement.variable) {
      if (const auto* outer = expansion_.scope.find(statement.variable->text)) {
        expansion_.diagnostics.error(statement.variable->location,
                                     tr("'{}' is the variable of the repeat of line {} already; choose another name",
                                        printable(statement.variable->text), outer->line));
      }
    }
    const auto passes = this->passes(statement);
    if (!passes) return body_once(statement);
    if (statement.variable) expansion_.scope.push({statement.variable->text, statement.location.line, 0});
    // After the limit has been passed in the body, what follows is read once more, for its errors.
    for (std::int64_t pass = 0; pass < *passes && (pass == 0 || !limit_passed_); ++pass) {
      if (statement.variable) expansion_.scope.top().value = pass;
      lines(statement.body);
    }
    if (statement.variable) expansion_.scope.pop();
  }

  // How often to repeat; nothing after an error.
  std::optional<std::int64_t> passes(const Statement& statement) {
    const auto& count = std::get<syntax::Number>(statement.arguments[0]);
    const auto value = expansion_.scope.value(count);
    if (!value) return std::nullopt;
    if (*value < 1) {
      expansion_.scope.error(
          count, tr("'{}'{}: a block is repeated at least once; put '#' before its lines to leave it out",
                    printable(count.text), count.expression.nodes.empty() ? "" : tr(" comes to {}", *value)));
      return std::nullopt;
    }
    if (limit_passed_) return std::nullopt;
    // An empty block need not be repeated.
    const std::uint64_t body = counts_.body(statement).least;
    if (body == 0) return 1;
    const std::uint64_t left = kMaximumOperations - std::min(operations_, kMaximumOperations);
    const std::uint64_t all = counts_.in_passes(statement, static_cast<std::uint64_t>(*value), left, expansion_.scope);
    if (all <= left) return value;
    limit_passed_ = true;
    const std::string others = operations_ == 0 ? "" : tr(" after {} others", operations_);
    expansion_.scope.error(count,
                           tr("'{}' passes of this block are more than {} operations{}; a program expands to at most "
                              "{}: repeat less often",
                              printable(count.text), left, others, kMaximumOperations));
    return std::nullopt;
  }

  // To find the errors in it; the value of the variable is not known.
  void body_once(const Statement& statement) {
    if (statement.variable) expansion_.scope.push({statement.variable->text, statement.location.line, std::nullopt});
    lines(statement.body);
    if (statement.variable) expansion_.scope.pop();
  }

  Expansion& expansion_;
  StatementCounts counts_;
  const Statement* const first_;   // of the program
  std::uint64_t operations_ = 0;   // and declarations, and nodes launched
  std::uint64_t edges_ = 0;        // of nodes launched
  std::uint64_t after_error_ = 0;  // statements, since one was wrong
  bool limit_passed_ = false;
};

}  // namespace

void expand(Expansion& expansion, const Syntax& syntax) { Expander(expansion, syntax).lines(syntax.lines); }

}  // namespace streamscope::program
