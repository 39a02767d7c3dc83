// Generated programs, for as long as one likes: `./run fuzz 8h`, or by hand
//
//   generated_programs [--seconds N | --count N] [--seed S] [--only PROPERTY] [--most FOUND] [--out FOLDER]
//                      [--device MODEL] [--show SEED]
//
// Each program runs on a modelled device, one of its own or MODEL (`model:h200,copies.channels=1`), and what must hold
// of every run is looked at (`--list`). What breaks a property is made as small as it can be, printed, and left in
// FOLDER as PROPERTY-SEED.streams; the exit code is then 1. --show prints the program of a seed.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "tests/generated/hunt.h"

namespace streamscope::generated {
namespace {

constexpr int kSecondsEach = 60;
constexpr std::uint64_t kMany = 300;  // programs of which some have everything

double percent(Nanoseconds part, Nanoseconds all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

Result<device::DeviceSpec> model_named(std::string_view text) {
  auto device = TRY(device::parse_device(text));
  TRY(profile_of(device));
  return device;
}

int run(int count, char** arguments) {
  std::uint64_t seed = 1, programs = 0, most = 20;
  double seconds = 60;
  std::string only, out;
  std::optional<device::DeviceSpec> device;
  for (int i = 1; i < count; ++i) {
    const std::string_view option = arguments[i];
    if (option == "--list") {
      for (const Property& each : all_properties()) fmt::print("{:14}{}\n", each.name, each.meaning);
      return 0;
    }
    if (i + 1 == count) {
      fmt::print(stderr, "generated_programs: no such option, or nothing behind it: {}\n", option);
      return 2;
    }
    const char* const value = arguments[++i];
    if (option == "--seconds") seconds = std::atof(value);
    if (option == "--count") programs = std::strtoull(value, nullptr, 10);
    if (option == "--seed") seed = std::strtoull(value, nullptr, 10);
    if (option == "--only") only = value;
    if (option == "--most") most = std::strtoull(value, nullptr, 10);
    if (option == "--out") out = value;
    if (option == "--device") {
      const auto named = model_named(value);
      if (!named) {
        fmt::print(stderr, "generated_programs: {}\n", named.error().message);
        return 2;
      }
      device = *named;
    }
    if (option == "--show") {
      fmt::print("{}", pasteable(case_of(std::strtoull(value, nullptr, 10), device ? &*device : nullptr)));
      return 0;
    }
  }
  watch(kSecondsEach);
  Tally tally;
  std::uint64_t broken = 0;
  std::set<std::string> seen;
  const auto began = std::chrono::steady_clock::now();
  const auto is_over = [&](std::uint64_t done) {
    return programs > 0 ? done == programs
                        : std::chrono::steady_clock::now() - began >= std::chrono::duration<double>(seconds);
  };
  for (std::uint64_t done = 0; !is_over(done) && seen.size() < most; ++done, ++seed) {
    const auto found = hunt(seed, tally, only, device ? &*device : nullptr);
    if (!found) continue;
    ++broken;
    if (!seen.insert(found->property + found->least.text).second) continue;
    fmt::print("{}\n", text(*found));
    std::fflush(stdout);
    if (out.empty()) continue;
    std::filesystem::create_directories(out);
    std::ofstream(std::filesystem::path(out) / fmt::format("{}-{}.streams", found->property, found->seed))
        << pasteable(found->least);
  }
  fmt::print(
      "Done {} programs in {:.0f} s of processor time: {} refused by their device, {} operations, {} held by "
      "something, {} bounds, "
      "{} texts nearly right of which {} were wrong; {} of {} faster machines were slower; {:.4f} % of waiting "
      "unexplained\n",
      tally.cases, static_cast<double>(std::clock()) / CLOCKS_PER_SEC, tally.refused, tally.operations, tally.held,
      tally.bounds, tally.nearly_right, tally.errors, tally.slower, tally.pairs,
      percent(tally.unexplained, tally.waited), percent(tally.paths_unexplained, tally.paths));
  for (const auto& [name, times] : tally.anomalies) fmt::print("  anomaly \"{}\": {}\n", name, times);
  if (broken > 0) fmt::print("  {} programs break a property\n", broken);
  const std::string wrong = only.empty() && tally.cases >= kMany ? tally.wrong() : "";
  if (!wrong.empty()) fmt::print("  over all: {}\n", wrong);
  return broken > 0 || !wrong.empty() ? 1 : 0;
}

}  // namespace
}  // namespace streamscope::generated

int main(int count, char** arguments) { return streamscope::generated::run(count, arguments); }
