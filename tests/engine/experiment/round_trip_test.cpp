// What to_toml() writes, parse_experiment() reads back to the same value.
#include <gtest/gtest.h>

#include <random>

#include "engine/experiment/check.h"
#include "engine/experiment/experiment_file.h"
#include "tests/support/kernel_options.h"

namespace streamscope::experiment {
namespace {

class Chooser {
 public:
  explicit Chooser(unsigned seed) : random_(seed) {}
  std::uint64_t to(std::uint64_t most) { return random_() % (most + 1); }
  bool coin() { return to(1) == 1; }
  template <class Enum>
  Enum among(int how_many) {
    return static_cast<Enum>(to(static_cast<std::uint64_t>(how_many - 1)));
  }
  std::string text() {
    static const std::string kPieces[] = {"a", " ", "\"",  "\\",   "\n",   "\t", "é",
                                          "→", "#", "'''", "\x01", "\x7f", "=",  "[x]"};
    std::string out;
    for (std::uint64_t n = to(12); n > 0; --n) out += kPieces[to(std::size(kPieces) - 1)];
    return out;
  }

 private:
  std::mt19937_64 random_;
};

Experiment random_experiment(Chooser& choose) {
  Experiment e;
  e.name = choose.text();
  e.about = choose.text();
  for (std::vector<std::string>* words : {&e.keywords.en, &e.keywords.zh, &e.keywords.ko})
    for (std::uint64_t n = choose.to(2); n > 0; --n) words->push_back("w" + choose.text());
  e.chunk = choose.coin() ? 16 * (1 + choose.to(1'000'000)) : (1ull << (4 + choose.to(26)));
  e.bytes = e.chunk * (1 + choose.to(5000));
  e.streams = 1 + static_cast<std::uint32_t>(choose.to(1023));
  e.order = choose.among<IssueOrder>(2);
  e.host = choose.among<program::HostMemory>(3);
  e.stream_flags = choose.among<StreamFlags>(4);
  e.mode = choose.among<Mode>(2);
  e.sync = choose.among<FinalSync>(4);
  e.h2d = choose.coin();
  e.d2h = choose.coin();
  const std::int64_t blocks = static_cast<std::int64_t>(choose.to(2'147'483'647));
  const std::int64_t threads = 1 + static_cast<std::int64_t>(choose.to(1023));
  const std::int64_t fma = 1 + static_cast<std::int64_t>(choose.to(999'999'999));
  const auto copy = static_cast<std::int64_t>(choose.to(7));
  constexpr std::int64_t kSpecialised = 6;
  const bool any = choose.coin() || !(e.h2d || e.d2h);
  switch (any ? choose.to(2) : 3) {
    case 0: test_support::set_kernel(e, "axpb", {{"fma", fma}, {"blocks", blocks}, {"threads", threads}}); break;
    case 1:
      test_support::set_kernel(e, "spin",
                               {{"duration", 1 + static_cast<std::int64_t>(choose.to(100'000'000'000))},
                                {"smem", static_cast<std::int64_t>(choose.to(227 << 10))},
                                {"blocks", blocks},
                                {"threads", threads}});
      break;
    case 2:
      test_support::set_kernel(
          e, "tiles",
          {{"fma", fma},
           {"copy", copy},
           {"stages", 1 + static_cast<std::int64_t>(choose.to(7))},
           {"tile", 16 * (1 + static_cast<std::int64_t>(choose.to(1700)))},
           {"blocks", blocks},
           {"threads", copy == kSpecialised ? 64 + 32 * static_cast<std::int64_t>(choose.to(30)) : threads}});
      break;
    default: e.kernel = {};
  }
  e.verify = choose.coin();
  e.across = choose.among<Across>(4);
  e.peer_access = choose.coin();
  e.steps = 1 + static_cast<std::uint32_t>(choose.to(1'000));
  // Where they go with the rest.
  e.devices = 2 + static_cast<std::uint32_t>(choose.to(62));
  if (choose.coin() || !check(e)) e.devices = 1;
  return e;
}

TEST(RoundTrip, RandomExperiments) {
  Chooser choose(20261121);
  for (int i = 0; i < 2000; ++i) {
    const Experiment e = random_experiment(choose);
    ASSERT_TRUE(check(e).has_value()) << check(e).error().message;
    const std::string text = to_toml(e);
    const auto back = parse_experiment(text, "round.toml");
    ASSERT_TRUE(back.has_value()) << back.error().message << "\n" << text;
    ASSERT_EQ(back->experiment, e) << text;
    ASSERT_EQ(to_toml(back->experiment), text);
  }
}

TEST(RoundTrip, ProgramsOfTheirOwn) {
  Chooser choose(7);
  for (int i = 0; i < 500; ++i) {
    Experiment own;
    own.name = choose.text();
    if (choose.coin()) own.keywords.ko = {"w" + choose.text()};
    own.verify = choose.coin();
    own.program = "stream A\n" + choose.text() + choose.text();
    const auto back = parse_experiment(to_toml(own), "round.toml");
    ASSERT_TRUE(back.has_value()) << back.error().message << "\n" << to_toml(own);
    ASSERT_EQ(back->experiment, own);
  }
  Experiment plain;
  plain.program = "stream A\nA: spin 1us\n";
  EXPECT_EQ(parse_experiment(to_toml(plain), "round.toml")->program_line, 4u) << "line by line where that is possible";
}

// Mangled files: refused or accepted, but never a crash, and an error always has a place.
TEST(RoundTrip, MangledFilesNeverCrash) {
  Chooser choose(99);
  const std::string good = to_toml(Experiment{});
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (std::uint64_t n = 1 + choose.to(3); n > 0; --n) {
      const std::size_t at = choose.to(text.size() - 1);
      switch (choose.to(2)) {
        case 0: text[at] = static_cast<char>(choose.to(255)); break;
        case 1: text.erase(at, 1 + choose.to(10)); break;
        default: text.insert(at, choose.text());
      }
      if (text.empty()) text.push_back(' ');
    }
    const auto file = parse_experiment(text, "m.toml");
    if (file) {
      EXPECT_TRUE(!file->experiment.program.empty() || check(file->experiment).has_value()) << text;
    } else {
      EXPECT_EQ(file.error().message.rfind("m.toml:", 0), 0u) << file.error().message;
    }
  }
}

}  // namespace
}  // namespace streamscope::experiment
