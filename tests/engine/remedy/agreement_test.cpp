// The parts of one verdict agree: what it names first, what each cause costs, what is offered, how far the bound is and
// what the engines did.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "engine/base/files.h"
#include "tests/engine/remedy/planted.h"
#include "tests/engine/remedy/simulated_run.h"
#include "tests/generated/write_program.h"

namespace streamscope::remedy {
namespace {

using verdict::Cause;

constexpr double kNearest = 1.1;  // times the bound: that is at it

double busiest(const verdict::Judgement& judgement) {
  Nanoseconds most = 0;
  for (const verdict::EngineIdle& each : judgement.idle) most = std::max(most, each.busy);
  return static_cast<double>(most) / static_cast<double>(judgement.makespan);
}

// What contradicts what, in words.
std::vector<std::string> contradictions(const verdict::Judgement& judgement, const Verdict& verdict) {
  std::vector<std::string> out;
  const auto wrong = [&](std::string what) { out.push_back(std::move(what)); };
  const std::vector<Entry>& all = verdict.entries;
  const bool fault = !all.empty() && all.front().cause == Cause::fault;
  if (fault) return out;
  const std::size_t first = !all.empty() && all.front().cause == Cause::hazard ? 1 : 0;
  // The dearest first; the first of all may be one of several that cost about the same.
  for (std::size_t i = first + 1; i < all.size(); ++i) {
    const double before = static_cast<double>(all[i - 1].cost) / (i == first + 1 ? 0.9 : 1);
    if (static_cast<double>(all[i].cost) > before + 1)
      wrong(fmt::format("{} costs {} and is behind {} of {}", verdict::name(all[i].cause), all[i].cost,
                        verdict::name(all[i - 1].cause), all[i - 1].cost));
  }
  const std::vector<verdict::Evidence> evidence = verdict::evidence(judgement);
  const double over = verdict::over_bound(judgement), busy = busiest(judgement);
  const std::string head = headline(judgement);
  const bool binds = head.find("; ") != std::string::npos;
  if (over > kNearest && binds && head.find("the host takes") == std::string::npos)
    wrong(fmt::format("{:.2f} over the bound, and it says \"{}\"", over, head));
  for (std::size_t i = first; i < all.size(); ++i) {
    const Entry& each = all[i];
    const bool nothing_helps = each.cause == Cause::at_the_bound || each.cause == Cause::engine_busy;
    if (nothing_helps && (each.help || !verdict.others.empty() || all.size() > first + 1))
      wrong(fmt::format("{}, and {} entries with {} more offers", verdict::name(each.cause), all.size(),
                        verdict.others.size()));
    if (each.cause == Cause::at_the_bound && (over > kNearest || over <= 0))
      wrong(fmt::format("at a bound that is {:.2f} away", over));
    if (each.cause == Cause::engine_busy && over > 0 && over <= kNearest) wrong("a busy engine, and the bound is met");
    if (each.text.find("busy nearly all") != std::string::npos && busy < 0.85)
      wrong(fmt::format("\"{}\", and the busiest is busy for {:.2f}", each.text, busy));
    const bool says_idle = each.text.find("idle") != std::string::npos;
    if (says_idle && busy > 0.95 &&
        static_cast<double>(each.cost) > (1 - busy) * static_cast<double>(judgement.makespan))
      wrong(fmt::format("\"{}\", and one is busy for {:.2f}", each.text, busy));
    if (each.cost < 0 || each.cost > judgement.makespan)
      wrong(fmt::format("{} costs {} of {}", verdict::name(each.cause), each.cost, judgement.makespan));
    if (each.help && judgement.makespan - each.help->predicted > each.cost)
      wrong(fmt::format("{} costs {}, and its change gains more", verdict::name(each.cause), each.cost));
    if (each.text.find("critical path") != std::string::npos && each.help)
      wrong(fmt::format("\"{}\" of a gain", each.text));
    const auto shown = std::ranges::find(evidence, each.cause, &verdict::Evidence::cause);
    const bool is_time = shown != evidence.end() && shown->time == each.cost && !each.help;
    if (each.text.find("It costs") != std::string::npos && is_time)
      wrong(fmt::format("\"{}\" of its time on the critical path", each.text));
  }
  return out;
}

// False: there was nothing to compare.
bool expect_agreement(std::string_view text, std::string_view device, const std::string& what) {
  const auto run = simulated_run(text, device);
  if (!run->judgement) return false;
  const Verdict verdict = verdict_on(*run);
  EXPECT_THAT(contradictions(*run->judgement, verdict), ::testing::IsEmpty()) << what << "\n" << text;
  return !verdict.entries.empty();
}

TEST(VerdictAgrees, WithItselfInEachLessonOfTheProgram) {
  int count = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(STREAMSCOPE_SOURCE "/assets/lessons")) {
    if (file.path().extension() != ".streams") continue;
    const auto text = read_text(file.path());
    ASSERT_TRUE(text);
    if (text->find("\nkernel ") != std::string::npos) continue;  // of its own
    const auto read = program::read_program(*text, "lesson");
    if (!read || program::fails_on_purpose(read->program)) continue;
    count += expect_agreement(*text, "model:h200x2", file.path().string()) ? 1 : 0;
  }
  EXPECT_GT(count, 100);
}

TEST(VerdictAgrees, WithItselfWhereAFaultIsPlanted) {
  for (const Planted& each : planted_faults())
    EXPECT_TRUE(expect_agreement(each.text, each.device, std::string(each.name))) << each.name;
}

TEST(VerdictAgrees, WithItselfOfProgramsAtRandom) {
  const char* const more = std::getenv("STREAMSCOPE_GENERATED_PROGRAMS");
  const std::uint64_t count = more == nullptr ? 30 : std::strtoull(more, nullptr, 10);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const std::string text = generated::write_program(seed, {.lines = 24});
    const auto read = program::read_program(text, "random");
    ASSERT_TRUE(read) << read.error().message;
    if (program::fails_on_purpose(read->program)) continue;
    compared += expect_agreement(text, "model:h200", fmt::format("seed {}", seed)) ? 1 : 0;
  }
  EXPECT_GE(compared, count / 2);
}

}  // namespace
}  // namespace streamscope::remedy
