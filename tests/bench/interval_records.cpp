// What the full instrument states of each operation, and what CUPTI records of it in the same passes and in others.
//
//   bench_intervals --csv F [--seed S] [--programs N] [--passes N] [--gate]
//   bench_intervals --texts FOLDER [--seed S] [--programs N]         writes the programs, without a GPU
//
// Programs of IntervalPrograms. A row for each operation and pass; `how` is full (CUPTI attached, not recording), both,
// or cupti (of ours only the host calls' times).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "engine/device/cuda/cupti/cupti_recorder.h"
#include "engine/device/cuda/loaded_program.h"
#include "engine/program/read_program.h"
#include "engine/reconstruct/activity.h"
#include "tests/bench/interval_programs.h"

namespace streamscope::bench {
namespace {

struct Options {
  std::string csv, texts;
  std::uint64_t seed = 1;
  std::uint32_t programs = 48;
  int passes = 3;
};

class Records {
 public:
  Records(std::FILE* out, std::shared_ptr<cuda::CudaContext> context, cuda::CuptiRecorder& recorder, int passes)
      : out_(out), context_(std::move(context)), recorder_(recorder), passes_(passes) {
    fmt::print(out_,
               "program,family,how,pass,op,kind,memory,bytes,launch,host_begin,host_end,ready,start,end,start_source,"
               "source,start_uncertainty,uncertainty,cupti_start,cupti_end,cupti_uncertainty\n");
  }

  Result<void> add(std::uint32_t number, const IntervalProgram& text) {
    auto read = program::read_program(text.text, fmt::format("{} {}", text.family, number));
    if (!read) return fail(read.error());
    const program::Program& program = read->program;
    auto loaded = TRY(cuda::CudaProgram::load(context_, program, {}));
    for (int pass = 0; pass <= passes_; ++pass) {
      auto full = loaded->run({device::Instrument::full}, {});
      if (!full) return fail(full.error());
      auto [both, same] = TRY(recorded(*loaded, device::Instrument::full));
      auto [bare, apart] = TRY(recorded(*loaded, device::Instrument::calls));
      if (pass == 0) continue;
      rows(number, text.family, "full", pass, program, *full, {});
      rows(number, text.family, "both", pass, program, both, theirs(program, both, same));
      rows(number, text.family, "cupti", pass, program, bare, theirs(program, bare, apart));
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
    reconstruct::match_activities(program, recording.records, pass.begin,
                                  static_cast<std::uint32_t>(recording.uncertainty), found);
    return found;
  }

  // Of the buffers that it touches, the first that is not pinned.
  static std::string_view memory_of(const program::Program& program, const program::Operation& operation) {
    using program::HostMemory;
    std::vector<BufferId> touched;
    if (const auto* copy = std::get_if<program::op::Copy>(&operation.work)) touched = {copy->host.buffer};
    if (const auto* copy = std::get_if<program::op::CopyOnDevice>(&operation.work))
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
      fmt::print(out_, "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", number, family, how, pass, i,
                 name(span.kind), memory_of(program, program.operations[i]), span.bytes,
                 span.launch == kNoOperation ? -1 : static_cast<long long>(span.launch), span.host_begin, span.host_end,
                 span.ready, span.start, span.end, trace::name(span.start_source), trace::name(span.source),
                 span.start_uncertainty, span.uncertainty, other.start, other.end, other.uncertainty);
    }
  }

  std::FILE* out_;
  std::shared_ptr<cuda::CudaContext> context_;
  cuda::CuptiRecorder& recorder_;
  int passes_;
};

Result<void> record(const Options& options) {
  auto context = TRY(cuda::open_context(0));
  auto recorder = TRY(cuda::CuptiRecorder::open(context));
  std::FILE* const out = std::fopen(options.csv.c_str(), "w");
  if (!out) return fail(ErrorKind::bad_input, "cannot write " + options.csv);
  fmt::print("{}, driver {}, CUPTI {}\n", context->info.name, context->info.driver, recorder->version());
  Records records(out, context, *recorder, options.passes);
  for (std::uint32_t i = 0; i < options.programs; ++i) {
    const IntervalProgram text = IntervalPrograms::make(options.seed, i);
    if (auto added = records.add(i, text); !added) {
      fmt::print("{} {}: {}\n", text.family, i, added.error().message);
      if (added.error().kind == ErrorKind::no_device) return added;
    }
    std::fflush(out);
  }
  std::fclose(out);
  return {};
}

Result<void> write_texts(const Options& options) {
  std::filesystem::create_directories(options.texts);
  for (std::uint32_t i = 0; i < options.programs; ++i) {
    const IntervalProgram one = IntervalPrograms::make(options.seed, i);
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
  app.add_option("--texts", options.texts);
  app.add_option("--seed", options.seed);
  app.add_option("--programs", options.programs);
  app.add_option("--passes", options.passes);
  CLI11_PARSE(app, count, arguments);
  const auto done = options.texts.empty() ? record(options) : write_texts(options);
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : streamscope::exit_code(done.error().kind);
}
