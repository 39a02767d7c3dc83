// What is known while a syntax tree is turned into a program, statement by statement, and what all statements need of
// it: names declared, numbers checked against CUDA's limits. Below, the steps from the tree to the program.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/program/check/capture.h"
#include "engine/program/check/diagnostics.h"
#include "engine/program/check/scope.h"
#include "engine/program/check/symbol_table.h"
#include "engine/program/order/host_order.h"
#include "engine/program/program.h"

namespace streamscope::program {

struct Expansion {
  explicit Expansion(std::vector<Diagnostic>& all);

  Diagnostics diagnostics;
  Scope scope;
  SymbolTable symbols;
  Program program;
  // The index of it in the program.
  KernelIndex kernel(const kernels::Choice& choice);
  // As symbols.find(), but `per-thread` is a stream of its own for every host thread, and `default` may be that one.
  Symbol* find(std::string_view name);
  // The same of a name whose use, unless it is declared, is an error.
  Symbol* find_declared(const syntax::Name& name, SymbolKinds expected);

  ThreadId thread;               // whose statements these are
  std::uint32_t reset_line = 0;  // of the `reset` above
  bool making_in_run = false;    // what is declared now is made by a statement of the run
  Capture* capture = nullptr;    // of the graph whose body these are
  HostOrder host_order;
  DeviceId device;  // the current one of that thread
  // By device and thread, but the main thread's on the first device: the streams that `per-thread` means there; and by
  // device, but the first, the one that `default` does.
  std::map<std::pair<DeviceId, ThreadId>, Symbol> per_thread_streams;
  std::map<DeviceId, Symbol> legacy_streams;
  std::map<std::pair<DeviceId, DeviceId>, std::uint32_t> reached;  // by devices that reach each other: the line
  std::unordered_map<std::uint32_t, LastUses<OperationIndex>>
      buffer_uses;                                      // of buffers made in the run, with several threads
  std::unordered_map<std::uint32_t, ThreadId> made_by;  // of buffers made in the run: who called their malloc
  std::unordered_map<std::uint32_t, LastUses<OperationIndex>> graph_launches;
  // Of each graph's nodes the stream that shows them; none: the stream that the graph is launched into.
  std::vector<std::vector<std::optional<StreamId>>> node_streams;
  std::vector<std::uint64_t> graph_edges;    // of one launch of each graph
  std::vector<OperationIndex> last_record;   // of each event
  std::vector<std::uint32_t> captured_line;  // of each event: of its record in a graph, 0 for none
  // By event: the line of a launch whose graph waits for it externally, with no host wait since.
  std::unordered_map<std::uint32_t, std::uint32_t> awaited_by_launch;
  // Waits for an event, and questions about one, that may not have been recorded before.
  struct Unrecorded {
    std::string event;
    syntax::Verb asks;
    bool found = false;  // it was recorded in some pass of the repeats around
  };
  std::map<SourceLocation, Unrecorded> unrecorded;
  std::uint64_t buffer_bytes = 0;                                                 // declared
  std::map<std::pair<std::size_t, kernels::Values>, KernelIndex> kernel_indices;  // by the registry's index and values
  KernelIndex last_kernel = 0;  // a loop asks for the same kernel again and again
};

// Null where it is left out.
const syntax::Option* find_option(const syntax::Statement& statement, std::string_view key);

// No diagnostics about what the statement would have declared: for a line with an error.
void suppress(Expansion& expansion, const syntax::Statement& statement);

// Adds the name; nothing after an error: it is no name, or declared already.
Symbol* add_name(Expansion& expansion, const syntax::Name& name, std::string_view text, Symbol symbol);
// Adds an event, which its record declares, or a wait before that (`undeclared`).
std::optional<EventId> add_event(Expansion& expansion, const syntax::Name& name, std::string_view text, bool undeclared,
                                 SymbolKinds expected);
// The value within [least, most]; nothing after an error.
std::optional<std::int64_t> within(Expansion& expansion, const syntax::Number& number, std::string_view what,
                                   std::int64_t least, std::int64_t most);

// Of the number of a device, which need not be there; nothing after an error.
std::optional<DeviceId> device_named(Expansion& expansion, const syntax::Number& number);

// All of it: blocks are repeated, graphs captured and launched. Fills expansion.program; adds nothing beyond the
// limits.
void expand(Expansion& expansion, const Syntax& syntax);
// buffer, stream, streams, event; and what `create-stream` and `create-event` make.
void declare(Expansion& expansion, const syntax::Statement& statement);
// Refuses what other threads may not do while one of them captures a graph, and warns of what breaks the capture.
void check_captures_beside_others(Expansion& expansion);
// Warns of what the program leaves unordered: memory that two operations touch, and streams and events that two threads
// use.
void warn_of_missing_order(const Program& program, const Syntax& syntax, Diagnostics& diagnostics);

}  // namespace streamscope::program
