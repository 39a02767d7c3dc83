#include "tests/generated/hunt.h"

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstdlib>

#include "tests/generated/shrink.h"
#include "tests/generated/write_program.h"

namespace streamscope::generated {
namespace {

int seconds_each = 0;
std::string at_work;  // what the process says if it is too long at it

void too_long(int) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, at_work.data(), at_work.size());
  _exit(1);
}

void begin(const Case& one) {
  if (seconds_each == 0) return;
  at_work = fmt::format("This took more than {} s of processor time:\n{}", seconds_each, pasteable(one));
  const itimerval timer{{0, 0}, {seconds_each, 0}};
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

// Of what a text is refused for: "unknown stream ''; declare it before this line with ``", without places and names.
std::string kind_of(const Broken& broken) {
  std::string kind = broken.property;
  if (broken.property != "right") return kind;
  char quote = 0;
  for (const char one : broken.what.substr(0, broken.what.find('\n'))) {
    const bool is_quote = one == '\'' || one == '`';
    if (is_quote) quote = quote == 0 ? one : '\0';
    if (quote == 0 && std::isdigit(static_cast<unsigned char>(one)) == 0) kind += one;
  }
  return kind;
}

}  // namespace

void watch(int seconds) {
  seconds_each = seconds;
  std::signal(SIGVTALRM, seconds > 0 ? too_long : SIG_DFL);
  const itimerval none{};
  if (seconds == 0) setitimer(ITIMER_VIRTUAL, &none, nullptr);
}

Case case_of(std::uint64_t seed, const device::DeviceSpec* instead) {
  Random random(seed ^ 0x9E3779B97F4A7C15u);
  device::DeviceSpec device = some_device(random);
  if (instead != nullptr) device = *instead;
  Wishes wishes;
  // Drawn apart, so that programs of one device are what they were.
  if (Random apart(seed ^ 0xC2B2AE3D27D4EB4Fu); instead == nullptr && apart.once_in(4)) {
    wishes.devices = apart.once_in(3) ? 3 : 2;
    device = device::several_of(std::move(device), static_cast<std::size_t>(wishes.devices));
  }
  const auto profile = profile_of(device);
  wishes.lines = static_cast<int>(random.once_in(30) ? random.between(100, 400) : random.between(4, 60));
  wishes.all_words = !random.once_in(5);
  if (wishes.devices > 1) wishes.all_words = true;
  if (profile) wishes.capability = std::atof(profile->compute_capability.c_str());
  return {write_program(seed, wishes), std::move(device)};
}

std::optional<Found> hunt(std::uint64_t seed, Tally& tally, std::string_view only, const device::DeviceSpec* instead) {
  Case one = case_of(seed, instead);
  begin(one);
  const auto broken = first_broken(one, seed, tally, only);
  if (!broken) return std::nullopt;
  Tally no_tally;
  std::string what = broken->what;
  const auto still = [&](const Case& smaller) {
    begin(smaller);
    const auto again = first_broken(smaller, seed, no_tally, broken->property);
    const bool same = again && kind_of(*again) == kind_of(*broken);
    if (same) what = again->what;
    return same;
  };
  Case least = shrink(std::move(one), still);
  return Found{seed, broken->property, std::move(what), std::move(least)};
}

std::string text(const Found& found) {
  return fmt::format("seed {} breaks \"{}\": {}\nThe least that does:\n{}", found.seed, found.property, found.what,
                     pasteable(found.least));
}

}  // namespace streamscope::generated
