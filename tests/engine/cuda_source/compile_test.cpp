// nvcc, where it is found, takes each of them without a warning, by the command of its first line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "engine/base/files.h"
#include "engine/cuda_source/cuda_source.h"
#include "engine/experiment/read_input.h"
#include "tests/generated/write_program.h"

namespace streamscope::cuda_source {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string name, text;
  std::string standard = "c++17";
  bool long_one = false;  // compiled without optimising
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

std::vector<Case> shipped() {
  std::vector<Case> all;
  for (const char* folder : {"programs", "experiments"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(STREAMSCOPE_SOURCE) / "assets" / folder)) {
      std::string name = entry.path().stem();
      std::replace(name.begin(), name.end(), '-', '_');
      const auto text = read_text(entry.path());
      if (text) all.push_back({std::string(folder) + "_" + name, *text});
    }
  }
  return all;
}

std::vector<Case> kernels() {
  std::string threads = "buffer x 8MiB\nstream A\n", wide = threads, attention = threads;
  for (const char* copy : {"sync", "cp.async", "primitives", "cg", "barrier", "pipeline", "warp-specialised"}) {
    const std::string ways = std::string("A: tiles x fma=3 copy=") + copy;
    threads += ways + " align=4\n" + ways + " align=128 threads=64\n";
    if (std::string(copy) != "sync") wide += ways + " stages=1\n" + ways + " stages=5 tile=1KiB per-sm=2\n";
  }
  for (const char* more :
       {"cp.async bytes=8 diverge=4", "cp.async l1", "pipeline bytes=4 diverge=2", "primitives diverge=32"})
    wide += std::string("A: tiles x fma=3 copy=") + more + "\n";
  for (const char* stages : {"1", "4"}) wide += std::string("A: tiles x fma=3 copy=bulk stages=") + stages + "\n";
  for (const char* more : {"cp.async wait=all", "cp.async wait=3", "primitives wait=1", "cp.async leave-out=wait",
                           "primitives leave-out=barrier", "primitives stages=1 leave-out=barrier"})
    wide += std::string("A: tiles x fma=3 copy=") + more + "\n";
  for (const char* copy : {"sync", "cp.async", "barrier", "warp-specialised"})
    wide += std::string("A: tiles x fma=3 smem-align=4 copy=") + copy + "\n";
  for (const char* buffers : {"1", "2"})
    attention += std::string("A: attention x heads=2 type=bf16 waits=1 buffers=") + buffers + "\n";
  for (const char* type : {"fp32", "bf16"})
    for (const char* head : {"64", "128"})
      for (const char* buffers : {"1", "2"})
        attention +=
            std::string("A: attention x heads=2 head=") + head + " type=" + type + " buffers=" + buffers + "\n";
  return {{"tiles_of_all_alignments", threads}, {"tiles_of_all_stages", wide}, {"attention", attention, "c++20"}};
}

// Names that C++, the C library or the written file have, and all that can be numbered.
constexpr const char* kNames =
    "buffer free 1MiB\nbuffer free_host 1MiB\nbuffer int 1MiB host=pageable\nbuffer INT_MAX 1MiB host=mapped\n"
    "buffer __x 1MiB\nbuffer x__y 1MiB host=managed\nbuffer b0 1MiB\nbuffer b1 2MiB\nbuffer main 1MiB "
    "host=write-combined\n"
    "stream axpb\nstream malloc nonblocking\nstreams S 3\nstream T7 priority=-1\nevent cudaMalloc notiming "
    "blockingsync\n"
    "repeat 2 as i {\n  S{i}: h2d b{i}\n  S{i}: record e{i+1}\n  malloc: wait e{i+1}\n  host: sync e{i+1}\n"
    "  repeat {i+1} as program {\n    T{7}: axpb b{i}[{program*4}KiB:4KiB] fma={program+1}\n  }\n"
    "  thread t{i} {\n    S{i}: malloc made{i} {i+1}MiB\n    S{i}: memset made{i} {i}\n    S{i}: free made{i}\n  }\n}\n"
    "repeat 2 as i {\n  host: join t{i}\n}\n"
    "repeat 2 as i {\n  graph G{i} on S{i} {\n    S{i}: h2d b{i}\n    S{i}: hostfn {i+1}us\n    S{i}: spin {i+1}us\n  "
    "}\n}\n"
    "repeat 2 {\n  malloc: launch G0\n}\nS2: launch G1\naxpb: d2d free int\naxpb: record cudaMalloc\n"
    "host: poll cudaMalloc every=3us\nhost: poll axpb\nhost: touch x__y\nhost: memcpy d2h main\nhost: memcpy h2d "
    "free_host\n"
    "axpb: h2d b0 from main\naxpb: d2h b0[0:4KiB] to free[8KiB:4KiB]\nhost: memcpy d2h b0 to main\nhost: query axpb\n"
    "axpb: record begin\naxpb: callback 3us\naxpb: record answer\nhost: query answer\nhost: elapsed begin answer\n"
    "host: memset b0 1\nhost: d2d b0 main\nhost: attributes axpb\nhost: create-stream left priority={1-2}\n"
    "host: create-event mark notiming blockingsync\nleft: record mark\nrepeat 2 as i {\n"
    "  host: create-stream N{i} nonblocking\n  N{i}: spin 1us\n  host: destroy N{i}\n}\n"
    "host: poll axpb every=3us work={1+1}us\naxpb: axpb b0 from main fma=2\n"
    "axpb: d2h b0 to free rows=8 width=4KiB pitch=8KiB host-pitch=4KiB\naxpb: d2d b0 main rows={3+5} width=4KiB\n"
    "host: malloc-host write_nowhere 1MiB\naxpb: d2h b0 to write_nowhere\naxpb: h2d b0 from write_nowhere[0:1MiB]\n"
    "host: free-host write_nowhere\nhost: register int\nhost: sync axpb\nhost: malloc-host last_error 8KiB\n"
    "repeat 2 as i {\n  host: malloc-host P{i} {i+1}MiB\n  axpb: d2h b0[0:4KiB] to P{i}[0:4KiB]\n  host: touch P{i}\n"
    "  host: free-host P{i}\n}\nhost: malloc P7 1MiB\nhost: free P7\n"
    "axpb: prefetch x__y to=device\naxpb: axpb INT_MAX fma=1\naxpb: reduce __x[0:4] from main blocks=1\nhost: work "
    "1us\n";

constexpr const char* kFaults =
    "buffer x 1MiB\nstream A\nA: h2d x\nA: fault launch-config\nhost: lasterror peek\nhost: lasterror\nA: fault "
    "assert\n"
    "A: fault trap\nA: fault illegal-address\nhost: query A\nhost: sync A\nhost: reset\nhost: create-stream A\n"
    "host: malloc x 2MiB\nA: axpb x fma=1\nA: spin 1us\n";
constexpr const char* kMacros =
    "stream peer_access\nstream begin_anew\nstream INT32_MAX\nstream E2BIG\nstream M_PI_2\nstream L_tmpnam\n"
    "stream SYS_read\nstream pool\nstream captured\nstream code_of_call\nbuffer memcpy 1MiB\nbuffer launch 1MiB\n"
    "pool: malloc keep 1MiB\npool: free keep\ngraph G on captured {\n  captured: memset memcpy 0\n}\n"
    "captured: launch G\ncode_of_call: h2d launch\nhost: peer 0 1 on\nhost: sync code_of_call\n"
    "repeat 2 as INT8_MAX {\n  M_PI_2: spin {INT8_MAX+1}us\n}\n";

// Names that stand for one thing after another, and comments that read like code.
constexpr const char* kAgain =
    "stream B\nbuffer y 8MiB\nbuffer b0 1KiB host=managed\nbuffer b1 1MiB\n# 4 KiB, attributes(B)\nhost: malloc-host h "
    "1MiB\nB: d2h y[0:1MiB] to h  # \\\nhost: free-host h\nhost: malloc h 2MiB\nB: memset h 1\nhost: free h\n"
    "host: create-stream A\nA: spin 1us\nhost: sync A\nhost: destroy A\nhost: create-event A\nB: record A\n"
    "host: sync A\nhost: destroy A\nrepeat 3 as i {\n  host: malloc t {i+1}MiB\n  B: memset t 0\n  host: free t\n}\n"
    "repeat 2 as i {\n  host: touch b{i}\n  host: malloc-host u{i} {i+1}KiB\n  B: d2h y[0:{i+1}KiB] to u{i}\n"
    "  host: free-host u{i}\n  host: malloc u{i} {i+3}KiB\n  B: memset u{i} 0\n  host: free u{i}\n}\n"
    "repeat 2 as i {\n  thread T{i} {\n    host: malloc t 1MiB\n    host: free t\n    host: create-stream C\n"
    "    C: spin 1us\n    host: destroy C\n  }\n}\n";
// All words that the written file has of its own, as names: of events and of the variables of repeats.
std::string named_as_the_file(const std::string& declared, const std::string& rest) {
  const auto source_of = [](const std::string& text) {
    const auto input = experiment::read_input({"p", {}, text}, {});
    if (!input) ADD_FAILURE() << input.error().message;
    const auto source = write(input->program, input->checked, "p.cu");
    return source ? source->text : std::string();
  };
  const std::string all = source_of(declared + rest);
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::set<std::string> words;
  for (auto at = all.begin(); at != all.end();) {
    const auto end = std::find_if_not(at, all.end(), in_word);
    if (end != at && std::isdigit(static_cast<unsigned char>(*at)) == 0) words.emplace(at, end);
    at = end == at ? at + 1 : end;
  }
  std::string events, loops;
  for (const std::string& word : words) {
    if (word.starts_with("zz") || !experiment::read_input({"p", {}, "event " + word + "\n"}, {})) continue;
    events += "event " + word + "\n";
    loops += "repeat 2 as " + word + " {\n  zzA: axpb zzx[{" + word + "}KiB:1KiB] fma={" + word +
             "+1}\n  host: work {" + word + "}us\n}\n";
  }
  return declared + events + rest + loops;
}

std::string all_words(bool fails) {
  std::string rest = "zzA: h2d zzx\nzzA: reduce zzx[0:4] from zzy blocks=1\nzzA: axpb zzy from zzx fma=1\n";
  for (const char* copy : {"sync", "cp.async", "primitives", "cg", "barrier", "pipeline", "warp-specialised", "bulk"})
    rest += std::string("zzA: tiles zzx fma=3 copy=") + copy + "\n";
  for (const char* type : {"fp32", "bf16"}) rest += std::string("zzA: attention zzx heads=2 type=") + type + "\n";
  rest +=
      "zzA: hostfn 1us\nzzA: callback 1us\nhost: poll zzA\nhost: query zzA\nhost: attributes zzA\nzzA: record zze\n"
      "zzA: record zzf\nhost: elapsed zze zzf\nzzA: prefetch zzm to=device\nhost: touch zzm\nzzA: malloc zzp 1MiB\n"
      "zzA: free zzp\nhost: capture zzH\nzzA: launch zzH\nhost: capture-info zzA\n";
  const std::string graph =
      "graph zzG on zzA {\n  zzA: memset zzx 0\n}\nevent zzw\ngraph zzH on zzA mode=relaxed {\n  zzA: wait zzw "
      "external\n"
      "  zzA: memset zzx 0\n  host: capture-info zzA\n  zzA: record zze external\n}\n";
  if (fails)
    rest +=
        "zzA: fault launch-config\nzzA: fault assert\nzzA: fault trap\nzzA: fault illegal-address\nhost: lasterror\n";
  else
    rest += "thread zzT {\n  host: work 1us\n}\nhost: peer 0 1 on\n";
  return named_as_the_file("stream zzA\nbuffer zzx 8MiB\nbuffer zzy 8MiB\nbuffer zzm 1MiB host=managed\n",
                           graph + rest);
}

std::vector<Case> cases() {
  std::vector<Case> all = shipped();
  for (Case& one : kernels()) all.push_back(std::move(one));
  all.push_back({"names", kNames, "c++20"});
  all.push_back({"faults", kFaults});
  all.push_back({"again", kAgain});
  all.push_back({"macros", kMacros});
  all.push_back({"named_as_the_file", all_words(false), "c++20", true});
  all.push_back({"named_as_the_file_that_fails", all_words(true), "c++20", true});
  all.push_back({"default_per_thread",
                 "default-stream per-thread\nbuffer x 1MiB\nstream A\nA: spin 1us\ndefault: axpb x fma=1\nhost: memcpy "
                 "d2h x\nthread T {\n  default: spin 1us\n  host: sync default\n}\nhost: memset x 0\n"});
  all.push_back({"several_devices",
                 "buffer x 1MiB device=0,1\nbuffer x_on1 1MiB device=1 host=pageable\nbuffer m 1MiB device=1 "
                 "host=managed\nstream S0\nstream S1 device=1 priority=-1\nevent e device=1\nhost: peer 0 1 on\n"
                 "repeat 2 as i {\n  S{i}: h2d x\n  S{i}: tiles x fma=1 stages=4 tile=16KiB copy=cp.async\n}\n"
                 "S0: peer x@1 x@0\nS1: record e\nS0: wait e\nS1: prefetch m to=device\nS1: malloc t 1MiB\n"
                 "S1: memset t 1\nS1: free t\ngraph G on S1 {\n  S1: memset x 1\n}\nS1: launch G\nhost: device 1\n"
                 "default: h2d x_on1\nthread T {\n  host: device 1\n  host: memcpy h2d x\n}\nhost: peer 0 1 off\n"});
  all.push_back(
      {"captured_in_the_run",
       "streams S 2 nonblocking\nevent e\nrepeat 2 as i {\n  graph G{i} on S{i} mode=global {\n    S{i}: wait e "
       "external\n    S{i}: spin {i+1}us\n  }\n}\ngraph H on S0 {\n  S0: spin 1us\n}\nthread T {\n  host: query "
       "e\n}\nrepeat 2 as i {\n  host: capture G{i}\n  S{i}: launch G{i}\n}\nS0: launch H\n"});
  all.push_back({"several_that_ask",
                 "stream A\nA: record a\nA: record b\nhost: sync b\nrepeat 2 as i {\n  thread T{i} {\n    host: "
                 "elapsed a b\n    host: attributes A\n    host: capture-info A\n  }\n}\n"});
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    all.push_back({"generated_" + std::to_string(seed), generated::write_program(seed)});
  }
  return all;
}

class CudaSourceCompiles : public testing::TestWithParam<Case> {};

TEST_P(CudaSourceCompiles, WithoutAWarning) {
#ifndef STREAMSCOPE_NVCC
  GTEST_SKIP() << "no nvcc was found when this was built";
#else
  const auto input = experiment::read_input({GetParam().name, {}, GetParam().text}, {});
  ASSERT_TRUE(input) << input.error().message;
  const auto source = write(input->program, input->checked, GetParam().name + ".cu");
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(static_cast<std::size_t>(std::count(source->text.begin(), source->text.end(), '\n')), source->lines.size());
  const fs::path folder = fs::path(testing::TempDir()) / ("cuda_source_" + GetParam().name);
  fs::create_directories(folder);
  std::ofstream(folder / (GetParam().name + ".cu")) << source->text;
  // "// nvcc -std=c++17 ..."
  std::string command = source->text.substr(3, source->text.find('\n') - 3);
  command = STREAMSCOPE_NVCC + command.substr(command.find(' '));
  command.replace(command.find("c++17"), 5, GetParam().standard);
  if (GetParam().long_one) command.replace(command.find("-O3"), 3, "-O0 -Xcicc -O0 -Xptxas -O0");
  command =
      "cd '" + folder.string() + "' && " + command + " -c --Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror 2>&1";
  std::string said;
  FILE* const output = popen(command.c_str(), "r");
  ASSERT_NE(output, nullptr);
  for (std::array<char, 4096> part{}; std::fgets(part.data(), part.size(), output) != nullptr;) said += part.data();
  EXPECT_EQ(pclose(output), 0) << command << "\n" << said;
  EXPECT_EQ(said, "");
  fs::remove_all(folder);
#endif
}

INSTANTIATE_TEST_SUITE_P(All, CudaSourceCompiles, testing::ValuesIn(cases()),
                         [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace streamscope::cuda_source
