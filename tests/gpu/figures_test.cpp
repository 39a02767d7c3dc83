// The cost and the accuracy of the instrument in figures: printed, not asserted.
#include <algorithm>
#include <limits>

#include "engine/experiment/build.h"
#include "engine/experiment/experiment.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

Nanoseconds median(std::vector<Nanoseconds> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

TEST_F(Gpu, ShowsTheObserverEffect) {
  for (const std::uint64_t chunk : {16ull << 20, 4ull << 20, 1ull << 20, 256ull << 10}) {
    experiment::Experiment experiment;
    experiment.chunk = chunk;
    const program::Program program = tests::program_of(experiment::build(experiment));
    auto loaded = load(program);
    ASSERT_TRUE(loaded) << loaded.error().message;
    std::vector<Nanoseconds> full, bare, makespans, uncertainties;
    for (int i = 0; i < 12; ++i) {
      auto with = (*loaded)->run(device::Instrument::full, {});
      ASSERT_TRUE(with) << with.error().message;
      auto without = (*loaded)->run(device::Instrument::bare, {});
      ASSERT_TRUE(without) << without.error().message;
      if (i == 0) continue;
      full.push_back(with->wall);
      bare.push_back(without->wall);
      makespans.push_back(trace::makespan(with->spans));
      uncertainties.push_back(with->clock_uncertainty);
    }
    std::printf("chunk %8llu KiB: full %.1f us, bare %.1f us, ratio %.4f, makespan %.1f us, uncertainty %.2f us\n",
                static_cast<unsigned long long>(chunk >> 10), static_cast<double>(median(full)) / 1e3,
                static_cast<double>(median(bare)) / 1e3,
                static_cast<double>(median(full)) / static_cast<double>(median(bare)),
                static_cast<double>(median(makespans)) / 1e3, static_cast<double>(median(uncertainties)) / 1e3);
  }
}

// How well event times and stamps, tied together, keep the order that CUDA promises: a negative gap is an error.
TEST_F(Gpu, ShowsHowWellEventsAndStampsAgree) {
  const auto run = measured(context(), R"(
buffer x 64MiB
streams S 4 nonblocking
repeat 64 as i {
  S{i%4}: h2d x[{i}MiB:1MiB]
  S{i%4}: axpb x[{i}MiB:1MiB] fma=256
  S{i%4}: d2h x[{i}MiB:1MiB]
}
)");
  expect_sane(*run);
  const program::Dependencies dependencies(run->program);
  std::vector<Nanoseconds> into_kernel, out_of_kernel;
  for (std::size_t i = 0; i + 1 < run->pass.spans.size(); ++i) {
    for (const program::Dependency& on : dependencies.of(static_cast<OperationIndex>(i))) {
      const Nanoseconds gap = (*run)[i].start - (*run)[on.on].end;
      if ((*run)[i].kind == OperationKind::kernel) into_kernel.push_back(gap);
      if ((*run)[on.on].kind == OperationKind::kernel) out_of_kernel.push_back(gap);
    }
  }
  for (const auto& [name, gaps] :
       {std::pair("copy end to kernel start", &into_kernel), std::pair("kernel end to copy start", &out_of_kernel)}) {
    std::sort(gaps->begin(), gaps->end());
    std::printf("%s: least %ld ns, median %ld ns, most %ld ns of %zu\n", name, gaps->front(), (*gaps)[gaps->size() / 2],
                gaps->back(), gaps->size());
  }
}

TEST_F(Gpu, ShowsCopyTimes) {
  for (const char* host : {"pinned", "pageable", "write-combined"}) {
    const auto run = measured(context(), std::string("buffer x 64MiB host=") + host + R"(
stream A nonblocking
A: h2d x[0:4KiB]
host: sync A
A: d2h x[0:4KiB]
host: sync A
A: h2d x[0:64KiB]
host: sync A
A: d2h x[0:64KiB]
host: sync A
A: h2d x[0:1MiB]
host: sync A
A: d2h x[0:1MiB]
host: sync A
A: h2d x[0:16MiB]
host: sync A
A: d2h x[0:16MiB]
host: sync A
A: h2d x
host: sync A
A: d2h x
host: sync A
A: d2d x[0:32MiB] x[32MiB:32MiB]
A: memset x 1
)");
    expect_sane(*run);
    for (const trace::Span& span : run->pass.spans) {
      if (span.kind == OperationKind::sync) continue;
      std::printf("%-14s %s %9llu B: host call %9.2f us, execution %9.2f us\n", host,
                  std::string(name(span.kind)).c_str(), static_cast<unsigned long long>(span.bytes),
                  static_cast<double>(span.host_end - span.host_begin) / 1e3,
                  static_cast<double>(span.end - span.start) / 1e3);
    }
  }
}

}  // namespace
}  // namespace streamscope::cuda
