// The slices of the verdict, which come from spans, against what the simulator says that held each operation.
#include <fmt/format.h>

#include <functional>
#include <map>
#include <optional>

#include "engine/device/catalog/catalog.h"
#include "engine/verdict/slices.h"
#include "tests/engine/model/author.h"
#include "tests/engine/verdict/judged.h"
#include "tests/support/any_program.h"

namespace streamscope::verdict {
namespace {

using model::Hold;
using model::HoldKind;

WaitCause cause_of(HoldKind kind) {
  switch (kind) {
    case HoldKind::stream: return WaitCause::stream;
    case HoldKind::legacy: return WaitCause::legacy;
    case HoldKind::event: return WaitCause::event;
    case HoldKind::graph: return WaitCause::graph;
    case HoldKind::pool: return WaitCause::pool;
    case HoldKind::queue: return WaitCause::queue;
    case HoldKind::occupant: break;
  }
  return WaitCause::engine;
}

bool is_occupant(WaitCause cause) {
  switch (cause) {
    case WaitCause::engine:
    case WaitCause::other_direction:
    case WaitCause::host_functions:
    case WaitCause::blocks:
    case WaitCause::room:
    case WaitCause::priority: return true;
    default: return false;
  }
}

bool is_held(WaitCause cause) { return cause != WaitCause::hand_over && cause != WaitCause::unexplained; }

// What the log says, by the rule of slices.h: records, waits and launches do no work, so what they came behind stands
// for them.
class Expected {
 public:
  Expected(const History& history, const std::vector<Hold>& holds) : history_(history) {
    for (const Hold& hold : holds) of_[hold.operation].push_back(hold);
  }

  std::vector<Slice> slices(OperationIndex i) const {
    const Nanoseconds issued = history_.issued(i), start = history_.span(i).start;
    if (issued >= start) return {};
    std::vector<Holder> holders;
    if (const auto last = last_dependency(i)) holders.push_back({issued, last->until, last->cause, last->by});
    for (const Hold& hold : holds(i)) {
      if (hold.kind == HoldKind::queue) holders.push_back({issued, hold.until, WaitCause::queue, hold.by});
      if (hold.kind == HoldKind::occupant) holders.push_back({hold.from, hold.until, WaitCause::engine, hold.by});
    }
    return cut(issued, start, std::move(holders));
  }

 private:
  const std::vector<Hold>& holds(OperationIndex i) const {
    static const std::vector<Hold> none;
    const auto found = of_.find(i);
    return found == of_.end() ? none : found->second;
  }
  // What it depends on that released it last. What does no work itself counts for what it came behind, if that held it.
  std::optional<Holder> last_dependency(OperationIndex i) const {
    std::optional<Holder> found;
    Nanoseconds latest = kAbsent;
    for (const Hold& hold : holds(i)) {
      if (hold.kind == HoldKind::queue || hold.kind == HoldKind::occupant) continue;
      std::optional<Holder> holder = Holder{hold.from, hold.until, cause_of(hold.kind), hold.by};
      Nanoseconds released = hold.until;
      if (!history_.executes(hold.by)) {
        holder = last_dependency(hold.by);
        if (!holder) continue;
        if (holder->until <= history_.issued(hold.by)) released = holder->until;
        const bool node_of_it = history_.span(i).launch == hold.by;
        if (hold.kind != HoldKind::stream && !node_of_it) holder->cause = cause_of(hold.kind);
      }
      if (released <= latest) continue;
      found = holder;
      latest = released;
    }
    return found;
  }

  const History& history_;
  std::map<OperationIndex, std::vector<Hold>> of_;
};

std::vector<Slice> comparable(const std::vector<Slice>& slices) {
  std::vector<Slice> out;
  for (Slice slice : slices) {
    if (!is_held(slice.cause)) continue;
    if (is_occupant(slice.cause)) slice.cause = WaitCause::engine;
    slice.certain = true;
    if (!out.empty() && out.back().to == slice.from && out.back().by == slice.by && out.back().cause == slice.cause) {
      out.back().to = slice.to;
    } else {
      out.push_back(slice);
    }
  }
  return out;
}

std::string text(const std::vector<Slice>& slices) {
  std::string out;
  for (const Slice& slice : slices) {
    out += fmt::format(" [{}, {}) {} by {}", slice.from, slice.to, kNames<WaitCause>[static_cast<int>(slice.cause)],
                       slice.by == kNoOperation ? std::string("nobody") : std::to_string(slice.by));
  }
  return out;
}

struct Sums {
  std::size_t operations = 0, held = 0, different = 0;
  Nanoseconds waited = 0, unexplained = 0;
};

void compare(const program::Program& program, const model::Profile& profile, Sums& sums) {
  constexpr std::size_t kShown = 3;
  const auto run = judged(program, profile);
  const auto logged = model::run_logged(profile, run->program);
  ASSERT_TRUE(logged) << logged.error().message;
  const History& history = *run->history;
  const Expected expected(history, logged->holds);
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (!history.executes(i)) continue;
    const std::vector<Slice> all = slices(history, i);
    for (const Slice& slice : all) {
      sums.waited += slice.to - slice.from;
      if (slice.cause == WaitCause::unexplained) sums.unexplained += slice.to - slice.from;
    }
    ++sums.operations;
    const auto mine = comparable(all), its = comparable(expected.slices(i));
    sums.held += its.empty() ? 0 : 1;
    if (mine == its || ++sums.different > kShown) continue;
    const trace::Span& span = history.span(i);
    ADD_FAILURE() << i << ": " << program::describe(run->program, i) << "\nissued " << history.issued(i) << ", ready "
                  << span.ready << ", start " << span.start << ", " << trace::name(span.reason) << " "
                  << (span.waits_for == kNoOperation ? "" : program::describe(run->program, span.waits_for))
                  << "\nverdict" << text(mine) << "\nlog    " << text(its);
  }
}

// Hardware that makes other things wait.
struct Hardware {
  const char* name;
  std::function<void(model::Profile&)> change;
};
const std::vector<Hardware>& hardware() {
  static const std::vector<Hardware> all{
      {"AsItIs", [](model::Profile&) {}},
      {"OneCopyEngine", [](model::Profile& profile) { profile.copies.engines = 1; }},
      {"CopiesInTheOrderOfIssue",
       [](model::Profile& profile) {
         profile.copies.engines = 1;
         profile.copies.queue = model::CopyQueue::issue;
       }},
      {"FewMultiprocessors", [](model::Profile& profile) { profile.compute.multiprocessors = 3; }},
      {"ShortQueues", [](model::Profile& profile) { profile.streams.queue_depth = 4; }},
      {"FewConnectionsAndLittleMemory",
       [](model::Profile& profile) {
         profile.streams.connections = 2;
         profile.device.memory = 72 << 20;
       }},
      {"CopiesInChannels",
       [](model::Profile& profile) {
         profile.copies.queue = model::CopyQueue::channel;
         profile.copies.channels = 2;
       }},
      {"H200", [](model::Profile& profile) {
         auto shipped = catalog::read_profile(STREAMSCOPE_SOURCE "/assets/devices/h200.toml");
         ASSERT_TRUE(shipped) << shipped.error().message;
         profile = std::move(*shipped);
       }}};
  return all;
}

struct Holds : ::testing::TestWithParam<std::size_t> {
  static constexpr std::uint32_t kPrograms = 640;

  // Its programs are made by `write(seed)`.
  template <class Write>
  void expect_agreement(const Write& write) {
    model::Profile profile = model::h200();
    hardware()[GetParam()].change(profile);
    Sums sums;
    for (std::uint32_t seed = 0; seed < kPrograms; ++seed) {
      SCOPED_TRACE(fmt::format("seed {}", seed));
      compare(tests::program_of(write(seed)), profile, sums);
    }
    EXPECT_EQ(sums.different, 0u);
    EXPECT_GT(sums.operations, 20 * kPrograms);
    EXPECT_GT(sums.held, sums.operations / 3);
    EXPECT_LE(sums.unexplained, sums.waited / 100);
  }
};

TEST_P(Holds, SlicesAreWhatTheSimulationSaysOfCopiesKernelsAndEvents) {
  expect_agreement([](std::uint32_t seed) { return model::Author(seed).write(60); });
}

// Where a call of one thread waits for room in a stream's queue, which call of another thread comes before it is not
// seen.
TEST_P(Holds, SlicesAreWhatTheSimulationSaysOfAllWords) {
  const bool one_thread = std::string_view(hardware()[GetParam()].name) == "ShortQueues";
  expect_agreement([&](std::uint32_t seed) { return tests::AnyProgram(seed).write(60, seed % 4 == 0 && !one_thread); });
}

INSTANTIATE_TEST_SUITE_P(On, Holds, ::testing::Range(std::size_t{0}, hardware().size()),
                         [](const auto& of) { return std::string(hardware()[of.param].name); });

}  // namespace
}  // namespace streamscope::verdict
