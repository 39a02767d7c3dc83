// What the full instrument states of each operation, and what CUPTI records of it in the same passes and in others.
//
//   bench_intervals --csv F [--seed S] [--programs N] [--passes N] [--devices 2]
//   bench_intervals --replay F --csv G                              reconstructs anew from what was seen, without a
//                                                                   GPU, and counts passes that contradict themselves
//   bench_intervals --texts FOLDER [--seed S] [--programs N] [--devices 2]
//                                                                   writes the programs, without a GPU
//   bench_intervals --shares F ...                                  what share lies inside what is stated, by family
//
// Programs of IntervalPrograms; with --devices 2 those for two GPUs, which the machine must have. A row for each
// operation and pass; `how` is full (CUPTI attached, not recording), both, or cupti (that instrument alone).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/device/blank_trace.h"
#include "engine/device/cuda/clocks/measure_peer_link.h"
#include "engine/device/cuda/cupti/cupti_recorder.h"
#include "engine/device/cuda/loaded_program.h"
#include "engine/device/cuda/runtime/device_facts.h"
#include "engine/program/read_program.h"
#include "engine/reconstruct/activity.h"
#include "engine/reconstruct/contradictions.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/bench/interval_programs.h"
#include "tests/bench/interval_shares.h"

namespace streamscope::bench {
namespace {

struct Options {
  std::string csv, texts, replay;
  std::vector<std::string> shares;
  std::uint64_t seed = 1;
  std::uint32_t programs = 48;
  int passes = 3;
  int devices = 1;

  IntervalProgram program(std::uint32_t index) const {
    return devices == 2 ? IntervalPrograms::make_for_two(seed, index) : IntervalPrograms::make(seed, index);
  }
};

constexpr std::size_t kColumns = 30;
constexpr const char* kColumnNames =
    "program,family,how,pass,op,kind,memory,bytes,launch,host_begin,host_end,ready,start,end,start_source,"
    "source,start_uncertainty,uncertainty,cupti_start,cupti_end,cupti_uncertainty,seen_start,seen_end,"
    "seen_source,seen_uncertainty,opened,clock,ready_source,ready_uncertainty,device";

// The first line of a file: the seed, and what was measured when the GPU was opened; of two GPUs then what was when the
// other was, and of each pair the copies between them, with access and without.
constexpr std::size_t kOfDevice = 15, kOfPair = 8;
void write_head(std::FILE* out, std::uint64_t seed, const device::Circumstances& known) {
  fmt::print(out, "#{}", seed);
  std::vector<device::DispatchLatency> devices = known.others;
  devices.insert(devices.begin(), known.dispatch);
  for (const device::DispatchLatency& d : devices) {
    fmt::print(out, ",{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", d.after_dependency, d.after_copy, d.h2d.setup,
               d.h2d.alone, d.h2d.both, d.d2h.setup, d.d2h.alone, d.d2h.both, d.copy.in_cache, d.copy.in_memory,
               d.set.in_cache, d.set.in_memory, d.cache_bytes, d.h2d.least, d.d2h.least);
  }
  for (const device::PeerTime& pair : known.peers) {
    for (const device::CopyTime& one : {pair.direct, pair.staged})
      fmt::print(out, ",{},{},{},{}", one.setup, one.alone, one.both, one.least);
  }
  fmt::print(out, "\n{}\n", kColumnNames);
}

// What write_head() wrote, behind the seed.
device::Circumstances known_from(std::span<const std::string> head) {
  std::size_t at = 1;
  const auto next = [&] { return std::stod(head[at++]); };
  const auto whole = [&] { return static_cast<Nanoseconds>(next()); };
  const auto dispatch = [&] {
    device::DispatchLatency d;
    d.after_dependency = whole();
    d.after_copy = whole();
    for (device::CopyTime* const one : {&d.h2d, &d.d2h}) {
      one->setup = whole();
      one->alone = next();
      one->both = next();
    }
    for (device::MemoryTime* const one : {&d.copy, &d.set}) {
      one->in_cache = next();
      one->in_memory = next();
    }
    d.cache_bytes = static_cast<std::uint64_t>(next());
    d.h2d.least = next();
    d.d2h.least = next();
    return d;
  };
  device::Circumstances known{dispatch()};
  if (head.size() == 1 + 2 * kOfDevice + 4 * kOfPair) known.others.push_back(dispatch());
  while (at + kOfPair <= head.size()) {
    device::PeerTime& pair = known.peers.emplace_back();
    for (device::CopyTime* const one : {&pair.direct, &pair.staged}) {
      one->setup = whole();
      one->alone = next();
      one->both = next();
      one->least = next();
    }
  }
  return known;
}

class Records {
 public:
  Records(std::FILE* out, const cuda::Gpus& gpus, cuda::CuptiRecorder& recorder, int passes)
      : out_(out), gpus_(gpus), recorder_(recorder), passes_(passes) {}

  Result<void> add(std::uint32_t number, const IntervalProgram& text) {
    auto read = program::read_program(text.text, fmt::format("{} {}", text.family, number));
    if (!read) return fail(read.error());
    const program::Program& program = read->program;
    auto loaded = TRY(cuda::CudaProgram::load(gpus_, program, {}));
    for (int pass = 0; pass <= passes_; ++pass) {
      auto full = loaded->run({device::Instrument::full}, {});
      if (!full) return fail(full.error());
      auto [both, same] = TRY(recorded(*loaded, device::Instrument::full));
      auto apart = loaded->run({device::Instrument::cupti}, {});
      if (!apart) return fail(apart.error());
      if (pass == 0) continue;
      rows(number, text.family, "full", pass, program, *full, {});
      rows(number, text.family, "both", pass, program, both, theirs(program, both, same));
      rows(number, text.family, "cupti", pass, program, *apart, theirs(*apart));
    }
    return {};
  }

 private:
  using Recorded = std::pair<device::Pass, cuda::Recording>;

  Result<Recorded> recorded(cuda::CudaProgram& loaded, device::Instrument instrument) {
    TRY(recorder_.start());
    auto pass = loaded.run({instrument}, {});
    auto recording = recorder_.stop();
    if (!pass) return fail(pass.error());
    if (!recording) return fail(recording.error());
    return Recorded{std::move(*pass), std::move(*recording)};
  }

  static std::vector<device::Observed> theirs(const program::Program& program, const device::Pass& pass,
                                              const cuda::Recording& recording) {
    std::vector<device::Observed> found(program.operations.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i].host_begin = pass.spans[i].host_begin;
      found[i].host_end = pass.spans[i].host_end;
    }
    reconstruct::match_activities(program, recording.records, names_in(program, recording), pass.begin, found);
    return found;
  }

  static std::vector<device::Observed> theirs(const device::Pass& pass) {
    std::vector<device::Observed> found(pass.spans.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const trace::Span& span = pass.spans[i];
      if (span.source != trace::Source::cupti) continue;
      found[i].start = span.start;
      found[i].end = span.end;
      found[i].uncertainty = span.uncertainty;
    }
    return found;
  }

  // The full instrument's graphs were instantiated before CUPTI could name their nodes; it numbers them in the order in
  // which they were captured.
  static reconstruct::RecordNames names_in(const program::Program& program, const cuda::Recording& recording) {
    std::set<std::uint64_t> ids;
    for (const reconstruct::Activity& one : recording.records.activities) {
      if (one.graph_node != 0) ids.insert(one.graph_node);
    }
    reconstruct::RecordNames names;
    auto next = ids.begin();
    for (const program::Graph& graph : program.graphs) {
      auto& nodes = names.graph_nodes.emplace_back();
      for (const auto& node : graph.nodes) {
        const bool recorded = reconstruct::expected_activity(graph.body[node.body]).has_value();
        nodes.push_back(recorded && next != ids.end() ? *next++ : 0);
      }
    }
    return names;
  }

  // Of the buffers that it touches, the first that is not pinned.
  static std::string_view memory_of(const program::Program& program, const program::Operation& operation) {
    using program::HostMemory;
    std::vector<BufferId> touched;
    if (const auto* copy = std::get_if<program::op::Copy>(&operation.work)) touched = {copy->host.buffer};
    if (const auto* copy = std::get_if<program::op::CopyOnDevice>(&operation.work))
      touched = {copy->to.buffer, copy->from.buffer};
    if (const auto* copy = std::get_if<program::op::PeerCopy>(&operation.work))
      touched = {copy->to.buffer, copy->from.buffer};
    if (const auto* memset = std::get_if<program::op::Memset>(&operation.work)) touched = {memset->range.buffer};
    if (const auto* prefetch = std::get_if<program::op::Prefetch>(&operation.work)) touched = {prefetch->range.buffer};
    if (const auto* kernel = std::get_if<program::op::Kernel>(&operation.work); kernel && kernel->range.bytes > 0)
      touched = {kernel->range.buffer};
    for (const BufferId buffer : touched) {
      const HostMemory memory = program.buffers[buffer.value].host;
      if (memory != HostMemory::pinned) return name(memory);
    }
    return name(HostMemory::pinned);
  }

  void rows(std::uint32_t number, const std::string& family, const char* how, int pass, const program::Program& program,
            const device::Pass& ours, const std::vector<device::Observed>& theirs) {
    for (std::size_t i = 0; i < ours.spans.size(); ++i) {
      const trace::Span& span = ours.spans[i];
      const device::Observed other = theirs.empty() ? device::Observed{} : theirs[i];
      const device::Observed seen = ours.observed.empty() ? device::Observed{} : ours.observed[i];
      fmt::print(out_, "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                 number, family, how, pass, i, name(span.kind), memory_of(program, program.operations[i]), span.bytes,
                 span.launch == kNoOperation ? -1 : static_cast<long long>(span.launch), span.host_begin, span.host_end,
                 span.ready, span.start, span.end, trace::name(span.start_source), trace::name(span.source),
                 span.start_uncertainty, span.uncertainty, other.start, other.end, other.uncertainty, seen.start,
                 seen.end, trace::name(seen.source), seen.uncertainty, ours.circumstances.opened,
                 ours.clock_uncertainty, trace::name(span.ready_source), span.ready_uncertainty, span.device);
    }
  }

  std::FILE* out_;
  cuda::Gpus gpus_;
  cuda::CuptiRecorder& recorder_;
  int passes_;
};

Result<void> record(const Options& options) {
  auto first = TRY(cuda::open_context(0));
  cuda::Gpus gpus(std::move(first));
  if (options.devices == 2) {
    auto second = TRY(cuda::open_context(1));
    gpus.add(std::move(second));
    TRY(cuda::measure_peer_link(*gpus.shared(DeviceId{0}), *gpus.shared(DeviceId{1})));
    TRY(cuda::measure_peer_link(*gpus.shared(DeviceId{1}), *gpus.shared(DeviceId{0})));
    TRY(gpus.first().use());
  }
  auto recorder = TRY(cuda::CuptiRecorder::open(gpus));
  std::FILE* const out = std::fopen(options.csv.c_str(), "w");
  if (!out) return fail(ErrorKind::bad_input, "cannot write " + options.csv);
  fmt::print("{} of {}, driver {}, CUPTI {}\n", gpus.size(), gpus.first().info.name, gpus.first().info.driver,
             recorder->version());
  write_head(out, options.seed, cuda::circumstances_of(gpus, kAbsent));
  Records records(out, gpus, *recorder, options.passes);
  for (std::uint32_t i = 0; i < options.programs; ++i) {
    const IntervalProgram text = options.program(i);
    if (auto added = records.add(i, text); !added) {
      fmt::print("{} {}: {}\n", text.family, i, added.error().message);
      if (added.error().kind == ErrorKind::no_device) return added;
    }
    std::fflush(out);
  }
  std::fclose(out);
  return {};
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

trace::Source source_of(const std::string& name) {
  for (int i = 0;; ++i) {
    if (trace::name(static_cast<trace::Source>(i)) == name) return static_cast<trace::Source>(i);
  }
}

// What the reconstruction of today makes of what was seen when the file was recorded.
void replay(const Options& options) {
  std::ifstream in(options.replay);
  std::ofstream out(options.csv);
  std::string line;
  std::getline(in, line);
  out << line << "\n";
  const std::vector<std::string> head = cells_of(line.substr(1));
  if (head.size() < 1 + kOfDevice)
    return void(fmt::print(stderr, "{} has no least times of copies: record it anew\n", options.replay));
  const auto number = [](const std::string& cell) { return std::stoll(cell); };
  device::Circumstances known = known_from(head);
  Options recorded = options;
  recorded.seed = std::stoull(head[0]);
  recorded.devices = static_cast<int>(known.others.size()) + 1;
  std::getline(in, line);
  out << kColumnNames << "\n";  // of older recordings, too, which say nothing of the ready times and the device
  std::vector<std::vector<std::string>> rows;
  int passes = 0, contradicted = 0;
  const auto finish = [&] {
    if (rows.empty()) return;
    const auto read =
        program::read_program(recorded.program(static_cast<std::uint32_t>(number(rows[0][0]))).text, "replayed");
    const program::Program& program = read->program;
    std::vector<device::Observed> seen(rows.size());
    std::vector<Nanoseconds> begins;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& row = rows[i];
      seen[i] = {.host_begin = number(row[9]),
                 .host_end = number(row[10]),
                 .start = number(row[21]),
                 .end = number(row[22]),
                 .source = source_of(row[23]),
                 .uncertainty = static_cast<std::uint32_t>(number(row[24]))};
      begins.push_back(seen[i].host_begin);
    }
    const auto order = program::issue_order(program, begins);
    std::vector<trace::Span> spans = device::blank_spans(program, device::frame_of(program, {}));
    known.opened = number(rows[0][25]);
    if (rows[0][2] != "cupti") {
      const program::Dependencies dependencies(program, order);
      reconstruct::reconstruct(program, dependencies, seen, spans, known, order);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        spans[i].host_begin = number(rows[i][9]);
        spans[i].host_end = number(rows[i][10]);
      }
      const auto found = reconstruct::find_contradictions(program, dependencies, spans);
      ++passes;
      contradicted += !found.empty();
      if (!found.empty()) {
        fmt::print("program {}, pass {}: {}\n", rows[0][0], rows[0][3], reconstruct::contradiction_text(found, spans));
      }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto& row = rows[i];
      const trace::Span& span = spans[i];
      if (row[2] != "cupti") {
        row[11] = std::to_string(span.ready);
        row[12] = std::to_string(span.start);
        row[13] = std::to_string(span.end);
        row[14] = trace::name(span.start_source);
        row[15] = trace::name(span.source);
        row[16] = std::to_string(span.start_uncertainty);
        row[17] = std::to_string(span.uncertainty);
      }
      row.resize(kColumns);
      row[27] = trace::name(span.ready_source);
      row[28] = std::to_string(span.ready_uncertainty);
      row[29] = std::to_string(span.device);
      out << fmt::format("{}\n", fmt::join(row, ","));
    }
    rows.clear();
  };
  while (std::getline(in, line)) {
    auto cells = cells_of(line);
    if (!rows.empty() && (cells[0] != rows[0][0] || cells[2] != rows[0][2] || cells[3] != rows[0][3])) finish();
    rows.push_back(std::move(cells));
  }
  finish();
  fmt::print("{} passes, {} with times that contradict each other\n", passes, contradicted);
}

Result<void> write_texts(const Options& options) {
  std::filesystem::create_directories(options.texts);
  for (std::uint32_t i = 0; i < options.programs; ++i) {
    const IntervalProgram one = options.program(i);
    if (const auto read = program::read_program(one.text, one.family); !read) {
      fmt::print("{} {}: {}\n{}", one.family, i, read.error().message, one.text);
    }
    std::ofstream(fmt::format("{}/{:04}.streams", options.texts, i)) << "# " << one.family << "\n" << one.text;
  }
  return {};
}

}  // namespace
}  // namespace streamscope::bench

int main(int count, char** arguments) {
  streamscope::bench::Options options;
  CLI::App app("What the full instrument states, and what CUPTI records", "bench_intervals");
  app.add_option("--csv", options.csv);
  app.add_option("--replay", options.replay);
  app.add_option("--texts", options.texts);
  app.add_option("--shares", options.shares);
  app.add_option("--seed", options.seed);
  app.add_option("--programs", options.programs);
  app.add_option("--passes", options.passes);
  app.add_option("--devices", options.devices)->check(CLI::Range(1, 2));
  CLI11_PARSE(app, count, arguments);
  if (!options.replay.empty()) {
    streamscope::bench::replay(options);
    return 0;
  }
  if (!options.shares.empty()) {
    const auto table = streamscope::bench::shares_of(options.shares);
    if (!table) return std::fprintf(stderr, "%s\n", table.error().message.c_str()), 1;
    fmt::print("{}", *table);
    return 0;
  }
  const auto done = options.texts.empty() ? record(options) : write_texts(options);
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : streamscope::exit_code(done.error().kind);
}
