// Devices that are wrong in one way each: the model with one rule taken out, of the program before it runs or of the
// profile. The cases of that rule must say so.
#include <gtest/gtest.h>

#include <list>
#include <map>
#include <set>

#include "engine/base/files.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/model/model.h"
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {
namespace {

// The model, honest about what it is and wrong in what it does.
class WrongDevice : public device::Device {
 public:
  WrongDevice(const device::DeviceInfo& claims, model::Profile profile, std::function<void(program::Program&)> misread)
      : claims_(claims), model_(model::make_model(std::move(profile))), misread_(std::move(misread)) {}
  const device::DeviceInfo& info() const override { return claims_; }
  Result<std::unique_ptr<device::LoadedProgram>> load(const program::Program& program,
                                                      const device::LoadOptions& options) override {
    program::Program& misread = programs_.emplace_back(program);
    if (misread_) misread_(misread);
    return model_->load(misread, options);
  }

 private:
  device::DeviceInfo claims_;
  std::unique_ptr<device::Device> model_;
  std::function<void(program::Program&)> misread_;
  std::list<program::Program> programs_;  // outlive what is loaded from them
};

StreamId fresh_stream(program::Program& program) {
  program::Stream stream;
  stream.name = "fresh";
  stream.nonblocking = true;
  program.streams.push_back(stream);
  return {static_cast<std::uint32_t>(program.streams.size() - 1)};
}

void forget_stream_order(program::Program& program) {
  for (program::Operation& operation : program.operations) {
    if (operation.stream) operation.stream = fresh_stream(program);
  }
}
void one_stream_for_all(program::Program& program) {
  for (program::Operation& operation : program.operations) {
    if (operation.stream) operation.stream = kPerThreadStream;
  }
}
void no_legacy_barrier(program::Program& program) {
  const StreamId other = fresh_stream(program);
  for (program::Operation& operation : program.operations) {
    if (operation.stream == kLegacyStream) operation.stream = other;
  }
}
void no_exemption(program::Program& program) {
  for (program::Stream& stream : program.streams) stream.nonblocking = false;
}
EventId fresh_event(program::Program& program) {
  program.events.push_back({"fresh", true});
  return {static_cast<std::uint32_t>(program.events.size() - 1)};
}
void waits_do_nothing(program::Program& program) {
  for (program::Operation& operation : program.operations) {
    if (auto* wait = std::get_if<program::op::Wait>(&operation.work)) *wait = {fresh_event(program), kNoOperation};
  }
}
void first_record_for_good(program::Program& program) {
  std::map<EventId, OperationIndex> first;
  for (OperationIndex i = 0; i < program.operations.size(); ++i) {
    program::Work& work = program.operations[i].work;
    if (auto* record = std::get_if<program::op::Record>(&work);
        record != nullptr && !first.emplace(record->event, i).second) {
      record->event = fresh_event(program);
    } else if (auto* wait = std::get_if<program::op::Wait>(&work); wait != nullptr && wait->record != kNoOperation) {
      wait->record = first.at(wait->event);
    }
  }
}
void waits_of_the_host_return(program::Program& program) {
  for (std::size_t i = 0; i + 1 < program.operations.size(); ++i) {
    program::Work& work = program.operations[i].work;
    if (program::kind(work) == OperationKind::sync || program::kind(work) == OperationKind::poll)
      work = program::op::HostWork{1'000};
  }
}
void only_the_device_is_waited_for(program::Program& program) {
  for (program::Operation& operation : program.operations) {
    if (program::kind(operation.work) == OperationKind::sync) operation.work = program::op::SyncDevice{};
  }
}
void no_priorities(program::Program& program) {
  for (program::Stream& stream : program.streams) stream.priority = 0;
}
void host_functions_beside_their_streams(program::Program& program) {
  for (program::Operation& operation : program.operations) {
    if (program::kind(operation.work) == OperationKind::hostfn) operation.stream = fresh_stream(program);
  }
}
void per_thread_streams_are_one(program::Program& program) {
  for (program::Operation& operation : program.operations) {
    if (operation.stream && program.streams[operation.stream->value].per_thread) operation.stream = kPerThreadStream;
  }
}
void nodes_keep_no_order(program::Program& program) {
  for (program::Graph& graph : program.graphs) {
    for (program::GraphNode& node : graph.nodes) node.after.clear();
  }
}
void launches_keep_no_order(program::Program& program) {
  for (program::Operation& operation : program.operations) {
    if (program::kind(operation.work) == OperationKind::launch) operation.stream = fresh_stream(program);
  }
}
void each_launch_its_own_graph(program::Program& program) {
  for (program::Operation& operation : program.operations) {
    auto* const launch = std::get_if<program::op::Launch>(&operation.work);
    if (launch == nullptr) continue;
    program.graphs.push_back(program::Graph(program.graphs[launch->graph.value]));
    launch->graph = {static_cast<std::uint32_t>(program.graphs.size() - 1)};
  }
}
void all_memory(program::Program& program, program::HostMemory memory) {
  for (program::Buffer& buffer : program.buffers) buffer.host = memory;
}

struct Wrong {
  const char* name;
  std::function<void(program::Program&)> misread;
  std::function<void(model::Profile&)> profile;
  std::vector<int> rules;  // each must be found broken
};

const std::vector<Wrong>& wrongs() {
  static const std::vector<Wrong> all{
      {"streams keep no order", forget_stream_order, nullptr, {1, 5, 8, 9, 17, 18}},
      {"all streams are one", one_stream_for_all, nullptr, {1, 2, 3, 5, 11, 13, 16}},
      {"the legacy stream is one like others", no_legacy_barrier, nullptr, {2, 3, 12, 17}},
      {"non-blocking streams are not exempt", no_exemption, nullptr, {2, 10, 12}},
      {"waits do nothing", waits_do_nothing, nullptr, {2, 5, 17}},
      {"an event is recorded but once", first_record_for_good, nullptr, {5}},
      {"the host does not wait", waits_of_the_host_return, nullptr, {1, 2, 5, 6, 17}},
      {"the host waits for everything", only_the_device_is_waited_for, nullptr, {1, 2, 5, 6, 10}},
      {"host functions run beside their streams", host_functions_beside_their_streams, nullptr, {1, 17}},
      {"pinned memory is taken for pageable",
       [](program::Program& p) { all_memory(p, program::HostMemory::pageable); },
       nullptr,
       {7}},
      {"pageable memory is taken for pinned",
       [](program::Program& p) { all_memory(p, program::HostMemory::pinned); },
       nullptr,
       {8}},
      {"threads share one per-thread stream", per_thread_streams_are_one, nullptr, {3}},
      {"nodes of a graph keep no order", nodes_keep_no_order, nullptr, {19, 20}},
      {"graph launches keep no order", launches_keep_no_order, nullptr, {19, 20}},
      {"launches of one graph run side by side", each_launch_its_own_graph, nullptr, {20}},
      {"priorities are ignored", no_priorities, nullptr, {15}},
      {"cudaMallocAsync holds the host", nullptr, [](model::Profile& p) { p.host.malloc_async = 50'000'000; }, {4, 18}},
      {"a memset holds the host",
       nullptr,
       [](model::Profile& p) {
         p.host.memset = {{{4096, 50'000'000}, {8192, 50'000'000}}};
       },
       {12}},
      {"a copy within the device holds the host",
       nullptr,
       [](model::Profile& p) { p.host.copy_on_device = 50'000'000; },
       {10}},
      {"cudaMalloc waits", nullptr, [](model::Profile& p) { p.host.malloc_waits = true; }, {4}},
      {"cudaFree does not wait", nullptr, [](model::Profile& p) { p.host.free_waits = false; }, {4}},
      {"queues are endless", nullptr, [](model::Profile& p) { p.streams.queue_depth = 1'000'000; }, {16}},
      {"queues are short", nullptr, [](model::Profile& p) { p.streams.queue_depth = 2; }, {7, 16}},
      {"streams share one hardware queue", nullptr, [](model::Profile& p) { p.streams.connections = 1; }, {16}},
      {"copies go as they were issued",
       nullptr,
       [](model::Profile& p) { p.copies.queue = model::CopyQueue::issue; },
       {11}},
      {"both directions share an engine", nullptr, [](model::Profile& p) { p.copies.engines = 1; }, {11}},
      {"threads take no room", nullptr, [](model::Profile& p) { p.compute.threads = 1'000'000; }, {13, 14, 15}},
      {"blocks take no room",
       nullptr,
       [](model::Profile& p) { p.compute.blocks = p.compute.threads = 1'000'000; },
       {14}},
      {"shared memory takes no room", nullptr, [](model::Profile& p) { p.compute.shared_bytes = 1 << 30; }, {14}},
  };
  return all;
}

class WrongDevices : public testing::TestWithParam<std::size_t> {};

TEST_P(WrongDevices, AreFoundOut) {
  const Wrong& wrong = wrongs()[GetParam()];
  SCOPED_TRACE(wrong.name);
  const auto honest = catalog::read_profile(assets_folder() / "devices" / "h200.toml");
  ASSERT_TRUE(honest) << honest.error().message;
  model::Profile profile = *honest;
  if (wrong.profile) wrong.profile(profile);
  const auto right = model::make_model(*honest);
  WrongDevice device(right->info(), profile, wrong.misread);
  std::map<int, int> broken;
  for (const Case& one : all_cases()) {
    if (one.refused || !lacks(one.needs, device.info()).empty()) continue;
    if (!attempt(one, device, 1).wrong.empty()) ++broken[one.rule];
  }
  for (const int rule : wrong.rules) EXPECT_GT(broken[rule], 0) << "rule " << rule << " is not found broken";
}

INSTANTIATE_TEST_SUITE_P(, WrongDevices, testing::Range<std::size_t>(0, wrongs().size()));

// What is refused (rule 21) is refused by checks that have tests of their own.
TEST(WrongDevicesOfAll, BreakEveryRule) {
  std::set<int> broken;
  for (const Wrong& wrong : wrongs()) broken.insert(wrong.rules.begin(), wrong.rules.end());
  for (int rule = 1; rule < kRules; ++rule) EXPECT_TRUE(broken.contains(rule)) << rule;
}

}  // namespace
}  // namespace streamscope::conformance
