// The way from text to picture, at sizes from a lesson's to a trace's that nobody reads bar by bar; the model between
// them is in simulation_bench.cpp.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include "app/timeline/layout.h"
#include "app/timeline/rows.h"
#include "engine/device/catalog/catalog.h"
#include "engine/program/program.h"
#include "engine/program/read_program.h"
#include "engine/verdict/causes.h"
#include "tests/support/open_device.h"

namespace streamscope::bench {
namespace {

// Copy in, kernel, copy out through eight streams: three operations a chunk.
std::string pipeline(std::int64_t operations) {
  const std::int64_t chunks = operations / 3;
  return fmt::format(
      "buffer x {}KiB\nstreams S 8 nonblocking\nrepeat {} as i {{\n  S{{i%8}}: h2d x[{{i*4}}KiB:4KiB]\n"
      "  S{{i%8}}: axpb x[{{i*4}}KiB:4KiB] fma=64\n  S{{i%8}}: d2h x[{{i*4}}KiB:4KiB]\n}}\n",
      chunks * 4, chunks);
}

void read(benchmark::State& state) {
  const std::string text = pipeline(state.range(0));
  for (auto _ : state) {
    auto program = program::read_program(text, "bench");
    if (!program) return state.SkipWithError(program.error().message.c_str());
    benchmark::DoNotOptimize(program);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// One instrumented pass on the model.
Result<trace::Trace> simulate(const program::Program& program) {
  auto device = tests::open_device("model:h200");
  if (!device) return fail(device.error());
  auto loaded = (*device)->load(program, {});
  if (!loaded) return fail(loaded.error());
  auto pass = (*loaded)->run(device::Instrument::full, {});
  if (!pass) return fail(pass.error());
  trace::Trace trace = (*loaded)->frame();
  trace.spans = std::move(pass->spans);
  return trace;
}

// Why a run took so long: slices are made when they are asked for, so here without them.
void verdict_of(benchmark::State& state) {
  auto program = program::read_program(pipeline(state.range(0)), "bench");
  if (!program) return state.SkipWithError(program.error().message.c_str());
  auto trace = simulate(program->program);
  if (!trace) return state.SkipWithError(trace.error().message.c_str());
  const std::size_t before = ::mallinfo2().uordblks;
  std::size_t bytes = 0;
  for (auto _ : state) {
    const verdict::Judgement judgement = verdict::judge(*trace, &program->program);
    benchmark::DoNotOptimize(verdict::evidence(judgement));
    bytes = ::mallinfo2().uordblks - before;
  }
  state.counters["bytes/op"] = static_cast<double>(bytes) / static_cast<double>(trace->spans.size());
}

// The whole run at 1920 pixels, then a hundredth of it: cost should follow pixels.
void scene(benchmark::State& state) {
  auto program = program::read_program(pipeline(state.range(0)), "bench");
  if (!program) return state.SkipWithError(program.error().message.c_str());
  auto trace = simulate(program->program);
  if (!trace) return state.SkipWithError(trace.error().message.c_str());
  const timeline::Tracks rows = timeline::tracks(*trace);
  timeline::LayoutOptions options;
  options.width = 1920;
  options.height = 1080;
  const Nanoseconds length = (rows.end - rows.begin) / state.range(1);
  const timeline::View view = timeline::fit(rows.begin, rows.begin + length, timeline::frame(rows, options).plot_width);
  for (auto _ : state)
    benchmark::DoNotOptimize(timeline::layout(*trace, rows, view, timeline::theme(timeline::ThemeName::dark), options));
}

BENCHMARK(verdict_of)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(read)->RangeMultiplier(10)->Range(1'000, 100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(scene)->ArgsProduct({{1'000, 10'000, 100'000}, {1, 100}})->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace streamscope::bench

BENCHMARK_MAIN();
