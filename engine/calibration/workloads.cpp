#include "engine/calibration/workloads.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string_view>

#include "engine/base/translate.h"
#include "engine/calibration/program_writer.h"

namespace streamscope::calibration {
namespace {

struct Family {
  std::string_view name;  // in recordings; shown by tr()
  void (*write)(Sheet&, std::uint64_t);
};

constexpr std::array kFamilies{
    Family{tr_later("pipeline"), pipeline},
    Family{tr_later("isolated pinned copy"), isolated_pinned},
    Family{tr_later("concurrent kernels"), concurrent_kernels},
    Family{tr_later("event graph"), event_graph},
    Family{tr_later("tiny chunks"), tiny_chunks},
    Family{tr_later("oversubscribed kernels"), oversubscribed},
    Family{tr_later("legacy barriers"), legacy_barriers},
    Family{tr_later("other isolated copy"), isolated_other},
    Family{tr_later("host interplay"), host_interplay},
    Family{tr_later("priorities"), priorities},
    Family{tr_later("blocking copies"), blocking_copies},
    Family{tr_later("many streams"), many_streams},
    Family{tr_later("long queues"), long_queues},
    Family{tr_later("mixed"), mixed},
    Family{tr_later("host functions"), host_functions},
    // What comes behind kPlain is in Families::all alone.
    Family{tr_later("shared memory"), shared_memory},
    Family{tr_later("graphs"), graphs},
    Family{tr_later("host threads"), host_threads},
    Family{tr_later("allocation in streams"), allocation_in_streams},
};

constexpr std::size_t kPlain = kFamilies.size() - 4;

// The last steps of splitmix64: neighbouring seeds have nothing in common.
std::uint64_t mixed_up(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

// By the family's name and not its place, so that a new family changes no program of the others.
std::uint64_t seed_of(std::uint64_t seed, std::string_view family, std::uint64_t which) {
  std::uint64_t state = mixed_up(seed + 0x9E3779B97F4A7C15u);
  for (const char c : family) state = mixed_up(state + static_cast<unsigned char>(c));
  return mixed_up(state + which);
}

}  // namespace

std::vector<RecordedProgram> workloads(std::uint64_t seed, std::size_t count, Families families) {
  const auto in_turn = std::span(kFamilies).first(families == Families::all ? kFamilies.size() : kPlain);
  std::vector<RecordedProgram> all;
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Family& family = in_turn[i % in_turn.size()];
    const std::uint64_t which = i / in_turn.size();
    Sheet sheet(seed_of(seed, family.name, which));
    family.write(sheet, which);
    all.push_back({fmt::format("{} {}", family.name, which + 1), std::string(family.name), false, {}, sheet.take()});
  }
  return all;
}

}  // namespace streamscope::calibration
