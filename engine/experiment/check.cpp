#include "engine/experiment/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "engine/base/place.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/experiment/description.h"
#include "engine/experiment/keys.h"
#include "engine/program/limits.h"

namespace streamscope::experiment {
namespace {

// So few bytes were hardly meant: "8" for "8MiB".
std::string unit_missing(std::uint64_t bytes) {
  constexpr std::uint64_t kHardlyMeant = 1024;
  return bytes < kHardlyMeant ? tr(" ({} without a unit is bytes; write {}MiB for MiB)", bytes, bytes) : std::string();
}

// The counts nearest to `count` that divide `bytes` into chunks of a multiple of `unit`. A bounded search: one far away
// is no useful suggestion.
struct Near {
  std::uint64_t fewer = 0, more = 0;  // 0: none near
};
Near counts_near(std::uint64_t bytes, std::uint64_t count, std::uint64_t unit) {
  constexpr std::uint64_t kFar = 200'000;
  const auto fits = [&](std::uint64_t n) { return bytes % n == 0 && bytes / n % unit == 0; };
  Near near;
  for (std::uint64_t n = count; n > 0 && count - n < kFar && near.fewer == 0; --n) {
    if (fits(n)) near.fewer = n;
  }
  for (std::uint64_t n = count + 1; n <= bytes && n - count < kFar && near.more == 0; ++n) {
    if (fits(n)) near.more = n;
  }
  return near;
}

std::string suggestion(std::uint64_t bytes, std::uint64_t count, std::uint64_t unit, bool counted) {
  const Near near = counts_near(bytes, count, unit);
  std::vector<std::string> ways;
  for (const std::uint64_t n : {near.more, near.fewer}) {
    if (n == 0) continue;
    ways.push_back(counted ? fmt::format("{}", n) : tr("\"{}\" ({} chunks)", exact_bytes(bytes / n), n));
  }
  if (ways.empty()) return tr("choose a power of two for both");
  return tr("nearest that do: {}", fmt::join(ways, tr(" and ")));
}

// What a chunk must be a multiple of, in bytes, and why.
struct Unit {
  std::uint64_t bytes = 1;
  std::string why;
  std::optional<std::size_t> option;  // of the kernel, better changed than the chunk
};
Unit unit_of(const kernels::Choice& kernel) {
  if (kernel.kernel == nullptr) return {};
  kernels::Granularity unit = kernel.kernel->granularity(kernel.values);
  return {std::lcm(unit.offset, unit.length), std::move(unit.why), unit.option};
}

kernels::Choice settled(kernels::Choice kernel) {
  if (kernel.kernel != nullptr) kernel.kernel->settle(kernel.values);
  return kernel;
}

// 0: not known.
std::uint64_t count_of_chunks(const Experiment& experiment) {
  if (experiment.chunks != 0) return experiment.chunks;
  return experiment.chunk == 0 ? 0 : experiment.bytes / experiment.chunk;
}

void check_chunks(const Experiment& experiment, std::vector<Violation>& found) {
  const std::uint64_t bytes = experiment.bytes;
  const Unit of_kernel = unit_of(settled(experiment.kernel));
  const auto& [unit, why, option] = of_kernel.option ? Unit{} : of_kernel;  // else check_kernel()
  const std::uint64_t chunk = experiment.chunk, chunks = experiment.chunks;
  if (bytes == 0) return found.push_back({"bytes", tr("bytes is 0; write a size, such as \"256MiB\"")});
  if (chunks != 0) {
    if (bytes % chunks != 0) {
      return found.push_back({"chunks", tr("{} chunks do not divide {} evenly; {}", chunks, exact_bytes(bytes),
                                           suggestion(bytes, chunks, unit, true))});
    }
    if (bytes / chunks % unit != 0) {
      return found.push_back({"chunks", tr("{} chunks of {} bytes: {}, so a chunk is a multiple of {} bytes; {}",
                                           chunks, bytes / chunks, why, unit, suggestion(bytes, chunks, unit, true))});
    }
    return;
  }
  if (chunk == 0) return found.push_back({"chunk", tr("chunk is 0; write a size, such as \"16MiB\"")});
  if (chunk > bytes) {
    return found.push_back({"chunk", tr("chunk is {}, more than bytes, which is {}; write \"{}\" for one chunk, or "
                                        "fewer bytes",
                                        exact_bytes(chunk), exact_bytes(bytes), exact_bytes(bytes)) +
                                         unit_missing(bytes)});
  }
  if (bytes % chunk != 0) {
    return found.push_back({"chunk", tr("chunks of {} do not divide {} evenly; {}", exact_bytes(chunk),
                                        exact_bytes(bytes), suggestion(bytes, bytes / chunk, unit, false))});
  }
  if (chunk % unit != 0) {
    found.push_back({"chunk", tr("chunk is {} bytes; {}, so write a multiple of {}: {}", chunk, why, unit,
                                 suggestion(bytes, bytes / chunk, unit, false))});
  }
}

// What each chunk makes of operations; in parts what each step does.
std::uint64_t operations_each(const Experiment& experiment) {
  const std::uint64_t devices = experiment.devices, kernels = experiment.kernel.kernel != nullptr ? 1 : 0;
  if (in_parts(experiment)) {
    const bool halo = experiment.across == Across::halo;
    const std::uint64_t exchanges = halo ? 2 * (devices - 1) : devices * (devices - 1);  // copies, and two waits
    return devices * (2 + kernels) + exchanges * (2 + (halo ? 1 : count_of_chunks(experiment) / devices));
  }
  const bool mapped = experiment.host == program::HostMemory::mapped;  // nothing is copied
  const std::uint64_t copies = mapped ? 0 : std::uint64_t{experiment.h2d} + experiment.d2h;
  if (devices > 1 && experiment.across == Across::pipeline) return copies + devices * kernels + 3 * (devices - 1);
  return copies + kernels * (experiment.mode == Mode::sync ? 2 : 1);
}

void check_count(const Experiment& experiment, std::vector<Violation>& found) {
  const bool mapped = experiment.host == program::HostMemory::mapped;
  if (experiment.kernel.kernel == nullptr && mapped) {
    return found.push_back(
        {"kernel.name", tr("nothing to do: the kernel is none, and mapped memory is not copied; write axpb for the "
                           "kernel, or another host memory")});
  }
  if (experiment.kernel.kernel == nullptr && !experiment.h2d && !experiment.d2h) {
    return found.push_back(
        {"kernel.name", tr("nothing to do: h2d and d2h are false and the kernel is none; switch one on")});
  }
  const std::uint64_t each = operations_each(experiment), devices = experiment.devices;
  // Records, synchronisations and the final one; of several devices copies of parts and peer access, too.
  const std::uint64_t around =
      devices <= 1 ? 2ull * experiment.streams + 1
                   : devices * (2ull * (in_parts(experiment) ? 1 : experiment.streams) + 4) + devices * devices;
  const std::uint64_t most = (program::kMaximumOperations - around) / each;
  if (in_parts(experiment)) {
    if (most == 0) {
      found.push_back(
          {"chunk", tr("a step makes {} operations, more than {} in all; use larger chunks or fewer devices", each,
                       program::kMaximumOperations)});
    } else if (experiment.steps > most) {
      found.push_back({"steps", tr("{} steps make {} operations each, more than {} in all; write {} or fewer",
                                   experiment.steps, each, program::kMaximumOperations, most)});
    }
    return;
  }
  const std::uint64_t count = count_of_chunks(experiment);
  if (count > most) {
    const bool by_size = experiment.chunks == 0;
    std::string why = tr("{} chunks make {} operations each, more than {} in all; use larger chunks", count, each,
                         program::kMaximumOperations);
    if (by_size) why += unit_missing(experiment.chunk);
    found.push_back({by_size ? "chunk" : "chunks", std::move(why)});
  }
}

// What goes with several devices.
void check_devices(const Experiment& experiment, std::vector<Violation>& found) {
  const std::uint64_t devices = experiment.devices, count = count_of_chunks(experiment);
  if (devices <= 1) return;
  const auto wrong = [&](std::string_view key, std::string message) {
    found.push_back({key, std::move(message), false, true});
  };
  if (program::is_shared(experiment.host)) {
    wrong("host", tr("host is {}, one allocation with no side on each of {} devices; write pinned, or devices = 1",
                     program::name(experiment.host), devices));
  }
  if (experiment.mode == Mode::sync) {
    wrong("mode", tr("mode is sync, where the host waits for each step and one device runs at a time; write async, or "
                     "devices = 1"));
  } else if (experiment.stream_flags == StreamFlags::legacy_default ||
             experiment.stream_flags == StreamFlags::per_thread) {
    wrong("stream_flags",
          tr("stream_flags is {}, a stream of one device; write nonblocking or blocking, or devices = 1",
             name_of(experiment.stream_flags)));
  } else if (!in_parts(experiment) && experiment.streams * devices > program::kMaximumStreams - 2) {
    wrong("streams", tr("{} streams on each of {} devices are more than {} in all; write fewer", experiment.streams,
                        devices, program::kMaximumStreams - 2));
  }
  if (count == 0) return;
  if (in_parts(experiment) && count % devices != 0) {
    wrong("devices", tr("{} chunks do not make equal parts for {} devices, as {} needs them; write a number of devices "
                        "that divides {}, or another chunk",
                        count, devices, name_of(experiment.across), count));
  } else if (count < devices && experiment.across == Across::split) {
    wrong("devices", tr_n("{} chunk cannot be dealt out to {} devices; write a smaller chunk, or fewer devices",
                          "{} chunks cannot be dealt out to {} devices; write a smaller chunk, or fewer devices", count,
                          count, devices));
  }
}

// Where few sizes would do, the option that decides is to be changed: the number of heads.
void check_kernel(const Experiment& experiment, std::vector<Violation>& found) {
  kernels::Choice kernel = settled(experiment.kernel);
  if (kernel.kernel == nullptr) return;
  if (auto problem = kernel.kernel->check(kernel.values)) {
    found.push_back({*keys::find(keys::key_of(kernel.kernel->options[problem->option])), std::move(problem->message)});
  }
  const Unit unit = unit_of(kernel);
  if (!unit.option || experiment.bytes == 0) return;
  const std::uint64_t count = count_of_chunks(experiment);
  if (count == 0 || experiment.bytes % count != 0) return;
  const std::uint64_t chunk = experiment.bytes / count;
  if (chunk % unit.bytes == 0) return;
  const kernels::Option& changed = kernel.kernel->options[*unit.option];
  const std::int64_t given = kernel.values[*unit.option];
  std::int64_t fits = 0;
  for (const std::int64_t value : changed.offered) {
    kernel.values[*unit.option] = value;
    if (value <= given && chunk % unit_of(kernel).bytes == 0) fits = value;
  }
  found.push_back({*keys::find(keys::key_of(changed)),
                   tr("a chunk is {}; {}, which it must be a multiple of: write {}", exact_bytes(chunk), unit.why,
                      fits > 0 ? tr("{} {}, or another chunk", fits, changed.key) : std::string(tr("another chunk"))),
                   true});
}

}  // namespace

std::vector<Violation> violations(const Experiment& experiment) {
  std::vector<Violation> found;
  check_chunks(experiment, found);
  check_count(experiment, found);
  check_devices(experiment, found);
  check_kernel(experiment, found);
  return found;
}

Result<void> check(const Experiment& experiment) {
  std::vector<Violation> found = violations(experiment);
  schema::each_member<Experiment>([&](const auto& member) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(member.of(experiment))>>) {
      const auto value = member.of(experiment);
      if (!member.present(experiment)) return;
      if (static_cast<double>(value) < member.least || static_cast<double>(value) > member.most) {
        found.push_back(
            {member.key, tr("{} is {}; write a number from {} to {}", member.key, value, member.least, member.most)});
      }
    }
  });
  const kernels::Kernel* const kernel = experiment.kernel.kernel;
  for (std::size_t i = 0; kernel != nullptr && i < kernel->options.size(); ++i) {
    const kernels::Option& option = kernel->options[i];
    const std::int64_t value = experiment.kernel.values[i];
    const std::string& key = *keys::find(keys::key_of(option));
    if (option.kind == kernels::OptionKind::duration && value <= 0) {
      found.push_back({key, tr("{} is {} ns; write a duration above 0, such as \"{}\"", key, value, option.example)});
    } else if (!keys::in_range(option, value)) {
      found.push_back({key, tr("{} is {}; write {}", key, value,
                               option.few.empty() ? tr("a number from {} to {}", option.least, option.most)
                                                  : tr("one of: {}", fmt::join(option.few, ", ")))});
    }
  }
  if (found.empty()) return {};
  std::string message;
  for (const Violation& violation : found) {
    if (!message.empty()) message += '\n';
    message += error_at(violation.key, violation.message);
  }
  return fail(ErrorKind::bad_input, std::move(message));
}

}  // namespace streamscope::experiment
