// The CUDA C++ that --emit-cuda writes, against the engine: does it leave the same data, and does it take as long?
//
//   bench_emitted [--generated N] [--from N] [--runs N] [--arch sm_90] [--hold BYTES] [--only-compile]
//                 [--only-generated] DIR
//
// Of all shipped programs and experiments and of N generated ones (20, from the number --from on), of all words of the
// language that need one device and no fault, half of them with data that is determined: DIR/NAME.cu is written and,
// where DIR/NAME of the same text is not there yet, compiled by nvcc; --only-compile ends there and needs no GPU. Then
// on the GPU, in turn: bare passes of the engine and DIR/NAME, each after a warm-up. Data is compared with what the CPU
// computes, where that is determined. A turn has --runs runs or more, as many as 60 ms have room for; a side's time is
// the median of its turns' medians. Beside the ratio stands how far the three turns of each lie apart by themselves: no
// ratio is truer than that. A process that holds no other memory has CUDA map pages anew for a small cudaMalloc, and
// the engine's holds some: with --hold the emitted programs hold so much from their start on, too. Exit code 0 where
// all data is the same, the median of the ratios of wall times is within 2 % of 1 and 95 % of them within 10 %; 1 where
// not, 3 without a GPU, 4 where something failed.
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/files.h"
#include "engine/cuda_source/cuda_source.h"
#include "engine/device/cuda/cuda_device.h"
#include "engine/device/cuda/verify/reference.h"
#include "engine/device/kernel_facts.h"
#include "engine/experiment/read_input.h"
#include "engine/program/order/order.h"
#include "engine/program/read_program.h"
#include "tests/generated/write_program.h"

namespace {

using namespace streamscope;
namespace fs = std::filesystem;

struct Program {
  std::string name, title, text;
};

// A capture in mode global is broken by another thread's calls where these meet.
bool may_fail(const program::Program& program) {
  return program.threads.size() > 1 && std::ranges::any_of(program.graphs, [](const program::Graph& graph) {
           return graph.captured_in_run && graph.mode == program::CaptureMode::global;
         });
}

// No order of its operations, and no kernel that is wrong on purpose, leaves other data.
bool has_one_result(const program::Program& program) {
  return program::hazards(program, 1).empty() && !device::wrong_on_purpose(program);
}

// The first from its own seed on that can be compared; of every second one the data too, and so it is of few lines.
std::string generated_text(int index) {
  const bool determined = index % 2 == 0;
  for (std::uint64_t seed = 1000 * static_cast<std::uint64_t>(index) + 1;; ++seed) {
    std::string text = generated::write_program(seed, {.lines = determined ? 24 : 60});
    const auto read = program::read_program(text, "generated");
    if (!read || may_fail(read->program)) continue;
    if (determined && !has_one_result(read->program)) continue;
    return text;
  }
}

std::vector<Program> all_programs(int from, int generated, bool shipped) {
  std::vector<Program> all;
  for (const char* folder : {"programs", "experiments"}) {
    if (!shipped) break;
    for (const auto& entry : fs::directory_iterator(fs::path(STREAMSCOPE_SOURCE) / "assets" / folder)) {
      if (auto text = read_text(entry.path())) all.push_back({entry.path().stem(), entry.path(), std::move(*text)});
    }
  }
  std::sort(all.begin(), all.end(), [](const Program& a, const Program& b) { return a.name < b.name; });
  for (int i = from; i < from + generated; ++i) {
    all.push_back({fmt::format("generated-{}", i), "generated", generated_text(i)});
  }
  return all;
}

struct Said {
  int code = -1;
  std::string text;
};
Said run_command(const std::string& command) {
  Said said;
  FILE* const output = popen((command + " 2>&1").c_str(), "r");
  if (output == nullptr) return said;
  for (std::array<char, 4096> part{}; std::fgets(part.data(), part.size(), output) != nullptr;)
    said.text += part.data();
  const int status = pclose(output);
  said.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return said;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

// As print_sums() of the written file computes them.
struct Sums {
  std::uint64_t words = 14695981039346656037ull;
  double sum = 0;
};
Sums sums_of(const char* data, std::uint64_t bytes) {
  Sums sums;
  for (std::uint64_t at = 0; at < bytes; at += 4) {
    std::uint32_t word = 0;
    float value = 0;
    std::memcpy(&word, data + at, std::min<std::uint64_t>(4, bytes - at));
    std::memcpy(&value, &word, sizeof value);
    sums.words = (sums.words ^ word) * 1099511628211ull;
    sums.sum += static_cast<double>(value);
  }
  return sums;
}

struct Emitted {
  std::vector<double> walls;          // us
  std::map<std::string, Sums> sides;  // "x host"
};
Emitted parse(const std::string& text) {
  Emitted emitted;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    from = end + 1;
    double wall = 0;
    int number = 0;
    if (std::sscanf(line.c_str(), "run %d: wall time %lf us", &number, &wall) == 2) emitted.walls.push_back(wall);
    const std::size_t words = line.find(": words ");
    unsigned long long hash = 0;
    double sum = 0;
    if (words != std::string::npos && std::sscanf(line.c_str() + words, ": words %llx, sum %lf", &hash, &sum) == 2)
      emitted.sides[line.substr(0, words)] = {hash, sum};
  }
  return emitted;
}

// Empty: the same. "?": not determined.
std::string difference(const program::Program& program, const Emitted& emitted) {
  if (!has_one_result(program)) return "?";
  cuda::Reference reference(program);
  if (reference.run()) return "?";
  for (std::uint32_t b = 0; b < program.buffers.size(); ++b) {
    const program::Buffer& buffer = program.buffers[b];
    if (buffer.made_in_run) continue;
    const BufferId id{b};
    const bool managed = buffer.host == program::HostMemory::managed,
               mapped = buffer.host == program::HostMemory::mapped;
    const auto check = [&](const char* side, const char* data, const std::vector<cuda::RoughPart>& rough) -> bool {
      const auto at = emitted.sides.find(buffer.name + " " + side);
      if (at == emitted.sides.end()) return false;
      const Sums expected = sums_of(data, buffer.bytes);
      double tolerance = 0;
      for (const cuda::RoughPart& part : rough) tolerance = std::max(tolerance, part.precision.tolerance);
      if (tolerance == 0) return at->second.words == expected.words;
      return std::abs(at->second.sum - expected.sum) <= tolerance * std::abs(expected.sum);
    };
    if (!managed && !check("host", reference.host(id), reference.rough_on_host(id))) return buffer.name + " host";
    if (!mapped && !check(managed ? "managed" : "device", reference.device(id, buffer.device),
                          reference.rough_on_device(id, buffer.device)))
      return buffer.name + " device";
    for (const DeviceId other : buffer.more_devices) {
      const std::string side = fmt::format("device {}", other.value);
      if (!check(side.c_str(), reference.device(id, other), reference.rough_on_device(id, other)))
        return buffer.name + " " + side;
    }
  }
  return {};
}

// Runs of a turn: short ones vary more, and cost less than the start of a process.
constexpr int kTurns = 3;
int enough(Nanoseconds wall, int least) {
  constexpr Nanoseconds kTurn = 60'000'000;
  return std::max(least, static_cast<int>(std::min<Nanoseconds>(200, kTurn / std::max<Nanoseconds>(1, wall))));
}

// Of the medians of a program's turns: how much more the largest is than the least.
double spread(const std::vector<double>& turns) {
  const auto [least, most] = std::ranges::minmax(turns);
  return most / least - 1;
}

double percent_within(const std::vector<double>& values, double from, double to) {
  const auto within = std::ranges::count_if(values, [from, to](double value) { return from <= value && value <= to; });
  return values.empty() ? 0 : 100 * static_cast<double>(within) / static_cast<double>(values.size());
}

struct Options {
  int generated = 20, from = 0, runs = 5;
  long hold = 0;  // bytes; 0: as it is
  std::string arch = "sm_90", folder;
  bool only_compile = false, only_generated = false;
};

std::string nvcc() {
  const char* const other = std::getenv("NVCC");
  return other != nullptr ? other : STREAMSCOPE_NVCC;
}

// What runs an emitted program in a process that holds so much device memory; empty where it cannot be made.
std::string holding(const Options& options) {
  const std::string library = options.folder + "/hold.so";
  const std::string source = fmt::format(
      "#include <cuda_runtime.h>\nstatic void* held;\nstatic const cudaError_t kDone = cudaMalloc(&held, {});\n",
      options.hold);
  if (!write_text(library + ".cu", source)) return {};
  const Said said = run_command(fmt::format("'{}' -shared -Xcompiler -fPIC -o '{}' '{}.cu'", nvcc(), library, library));
  if (said.code != 0) fmt::print("{}\n", said.text);
  return said.code == 0 ? fmt::format("env LD_PRELOAD='{}' ", fs::absolute(library).string()) : std::string();
}

// The executable; empty where it cannot be made.
std::string compiled(const Options& options, const Program& one, const experiment::Input& input) {
  const auto source = cuda_source::write(input.program, input.checked, one.name + ".cu");
  if (!source) {
    fmt::print("{}: {}\n", one.name, source.error().message);
    return {};
  }
  const fs::path file = fs::path(options.folder) / (one.name + ".cu"), made = fs::path(options.folder) / one.name;
  if (fs::exists(made) && read_text(file).value_or("") == source->text) return made;
  if (!write_text(file, source->text)) return {};
  // By the command of its first line, for this GPU: "// nvcc -std=c++17 -O3 [-arch=sm_80] NAME.cu -o NAME".
  constexpr std::string_view kBegin = "// nvcc ";
  std::string command = source->text.substr(kBegin.size(), source->text.find('\n') - kBegin.size());
  if (const std::size_t arch = command.find("-arch="); arch != command.npos)
    command.erase(arch, command.find(' ', arch) - arch);
  const Said said =
      run_command(fmt::format("cd '{}' && '{}' -arch={} {} --Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror",
                              options.folder, nvcc(), options.arch, command));
  if (said.code == 0) return made;
  fmt::print("{}: {}\n", one.name, said.text);
  return {};
}

int run(const Options& options) {
  fs::create_directories(options.folder);
  std::unique_ptr<device::Device> gpu;
  if (!options.only_compile) {
    auto opened = cuda::open_cuda_device(0);
    if (!opened) {
      std::fprintf(stderr, "%s\n", opened.error().message.c_str());
      return exit_code(opened.error().kind);
    }
    gpu = std::move(*opened);
  }
  const std::string beside = options.hold > 0 && !options.only_compile ? holding(options) : std::string();
  if (options.hold > 0 && !options.only_compile && beside.empty()) return 4;
  std::vector<double> ratios, engine_spreads, emitted_spreads;
  int failed = 0, wrong = 0, undetermined = 0, same = 0;
  for (const Program& one : all_programs(options.from, options.generated, !options.only_generated)) {
    const auto input = experiment::read_input({one.title, {}, one.text}, {});
    if (!input) fmt::print("{}: {}\n", one.name, input.error().message);
    const std::string made = input ? compiled(options, one, *input) : std::string();
    if (made.empty()) {
      ++failed;
      continue;
    }
    if (options.only_compile) continue;
    auto loaded = gpu->load(input->checked, {});
    if (!loaded && loaded.error().kind == ErrorKind::no_device) {
      fmt::print("{}: left out: {}\n", one.name, loaded.error().message);
      continue;
    }
    std::vector<double> engine_turns, their_turns;
    Emitted emitted;
    std::string problem = loaded ? "" : loaded.error().message;
    int runs = options.runs;
    for (int turn = 0; turn < kTurns && problem.empty(); ++turn) {
      std::vector<double> ours;
      for (int i = 0; i <= runs && problem.empty(); ++i) {
        const auto pass = (*loaded)->run(device::Instrument::bare, {});
        if (!pass) problem = pass.error().message;
        if (pass && i > 0) ours.push_back(static_cast<double>(pass->wall) / 1e3);
        if (pass && i == 0 && turn == 0) runs = enough(pass->wall, options.runs);
      }
      const Said said = run_command(fmt::format("{}'{}' {}", beside, made, runs));
      if (said.code != 0) problem = said.text;
      emitted = parse(said.text);
      if (ours.empty() || emitted.walls.empty()) continue;
      engine_turns.push_back(median(ours));
      their_turns.push_back(median(emitted.walls));
    }
    if (!problem.empty() || their_turns.empty()) {
      fmt::print("{}: FAILED: {}\n", one.name, problem);
      ++failed;
      continue;
    }
    const std::string where = difference(input->checked, emitted);
    ++(where.empty() ? same : where == "?" ? undetermined : wrong);
    ratios.push_back(median(their_turns) / median(engine_turns));
    engine_spreads.push_back(spread(engine_turns));
    emitted_spreads.push_back(spread(their_turns));
    fmt::print("{:<24} engine {:10.1f} us, emitted {:10.1f} us, ratio {:.4f}, turns {:.3f} and {:.3f}, data {}\n",
               one.name, median(engine_turns), median(their_turns), ratios.back(), 1 + engine_spreads.back(),
               1 + emitted_spreads.back(),
               where.empty()  ? "the same"
               : where == "?" ? "not determined"
                              : "WRONG: " + where);
    std::fflush(stdout);
  }
  if (options.only_compile) {
    fmt::print("{} could not be compiled\n", failed);
    return failed == 0 ? 0 : 4;
  }
  const double share = percent_within(ratios, 0.9, 1.1), middle = median(ratios);
  fmt::print(
      "{} programs: median ratio {:.4f}, {:.1f} % within 10 %; data the same {}, not determined {}, WRONG {}; failed "
      "{}\n",
      ratios.size(), middle, share, same, undetermined, wrong, failed);
  fmt::print("against itself, from turn to turn: the engine is within 10 % in {:.1f} %, the emitted in {:.1f} %\n",
             percent_within(engine_spreads, 0, 0.1), percent_within(emitted_spreads, 0, 0.1));
  if (failed != 0) return 4;
  return wrong == 0 && std::abs(middle - 1) <= 0.02 && share >= 95 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string one = arguments[i];
    if (one == "--only-compile") {
      options.only_compile = true;
    } else if (one == "--only-generated") {
      options.only_generated = true;
    } else if (one.starts_with("--") && i + 1 < count) {
      const std::string value = arguments[++i];
      if (one == "--from") options.from = std::max(0, std::atoi(value.c_str()));
      if (one == "--generated") options.generated = std::atoi(value.c_str());
      if (one == "--runs") options.runs = std::max(1, std::atoi(value.c_str()));
      if (one == "--arch") options.arch = value;
      if (one == "--hold") options.hold = std::max(0L, std::atol(value.c_str()));
    } else if (!one.starts_with("--")) {
      options.folder = one;
    }
  }
  if (options.folder.empty()) {
    std::fputs(
        "usage: bench_emitted [--generated N] [--from N] [--runs N] [--arch sm_90] [--hold BYTES] [--only-compile] "
        "[--only-generated] DIR\n",
        stderr);
    return 2;
  }
  return run(options);
}
