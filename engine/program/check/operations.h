// Statements with known variables to operations: names looked up, numbers and ranges held against CUDA's limits.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/program/check/capture.h"
#include "engine/program/check/host_order.h"
#include "engine/program/check/names.h"
#include "engine/program/check/scope.h"
#include "engine/program/program.h"

namespace streamscope::program {

// Everything that grows while a program is expanded.
struct Expansion {
  explicit Expansion(std::vector<Diagnostic>& diagnostics);

  Report report;
  Scope scope;
  Names names;
  Program program;
  // As Names, but for `per-thread`, which every host thread has its own of.
  Named* find(std::string_view name);

  ThreadId thread;             // whose statements these are
  Capture* capture = nullptr;  // of the graph whose body these are
  HostOrder host_order;
  std::map<std::uint32_t, Named> own_streams;               // `per-thread` of threads beside the main one
  std::unordered_map<std::uint32_t, LastUses> buffer_uses;  // of buffers made in the run, with several threads
  std::unordered_map<std::uint32_t, LastUses> graph_launches;
  std::unordered_map<std::uint32_t, LastUses::Use> made_by;  // of buffers made in the run: their malloc
  // Of each graph's nodes the lane of its own that they are in; none: the stream it is launched into.
  std::vector<std::vector<std::optional<StreamId>>> node_lanes;
  std::vector<std::uint64_t> graph_edges;    // of one launch of each graph
  std::vector<OperationIndex> last_record;   // of each event
  std::vector<std::uint32_t> captured_line;  // of each event: of its record in a graph, 0 for none
  // Lines that wait for an event no pass of them found recorded.
  struct Unrecorded {
    std::string event;
    bool found = false;  // in some pass it was
  };
  std::map<syntax::Place, Unrecorded> unrecorded;
  std::uint64_t buffer_bytes = 0;  // declared
};

// buffer, stream, streams, event.
void declare(Expansion& expansion, const syntax::Statement& statement);

// The operation of any other statement that opens no block; nothing after an error. Declares what the statement
// declares. `record` is bound to the index the operation is going to have, that of the next one.
std::optional<Operation> make_operation(Expansion& expansion, const syntax::Statement& statement);

// What a line with an error would have declared, so that its uses are not reported as well.
void forgive(Expansion& expansion, const syntax::Statement& statement);

// Adds the name, or reports what it is already; gives nothing then.
Named* add_name(Expansion& expansion, const syntax::Name& name, std::string_view text, Named named);
// The event, declared by its record where it is new.
std::optional<EventId> add_event(Expansion& expansion, const syntax::Name& name, std::string_view text, bool unseen,
                                 NameKinds expected);
// The value within [least, most]; reports and gives nothing where it is not.
std::optional<std::int64_t> within(Expansion& expansion, const syntax::Number& number, std::string_view what,
                                   std::int64_t least, std::int64_t most);

}  // namespace streamscope::program
