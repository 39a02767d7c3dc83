// Random programs: whatever they are, spans are sane, CUDA's rules hold between them, and the data is right.
#include <fmt/format.h>

#include <random>

#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

// `ordered`: one blocking stream and the legacy one, so that no two operations are without an order.
std::string random_program(std::mt19937& random, bool ordered) {
  const auto up_to = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  const auto one_of = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[up_to(static_cast<int>(words.size()) - 1)]);
  };
  std::string text =
      "buffer x 8MiB\nbuffer p 8MiB host=pageable\nbuffer w 8MiB host=write-combined\n"
      "streams S 3 nonblocking\nstreams B 2\nevent e notiming\nevent f\n";
  const int count = 10 + up_to(60);
  for (int i = 0; i < count; ++i) {
    const std::string stream =
        ordered ? one_of({"B0", "default"}) : one_of({"S0", "S1", "S2", "B0", "B1", "default", "per-thread"});
    const std::string buffer = one_of({"x", "p", "w"});
    const int kibibytes = 4 * (1 + up_to(255));
    const std::string part = fmt::format("[{}KiB:{}KiB]", up_to(1023 - kibibytes / 4) * 4, kibibytes);
    const auto add = [&text](auto&&... words) {
      for (const auto& word : {std::string(words)...}) text += word;
      text += "\n";
    };
    switch (up_to(13)) {
      case 0:
      case 1: add(stream, ": h2d ", buffer, part); break;
      case 2: add(stream, ": d2h ", buffer, part); break;
      case 3: add(stream, ": axpb ", buffer, part, fmt::format(" fma={}", 1 + up_to(200))); break;
      case 4: add(stream, fmt::format(": spin {}us blocks={}", up_to(200), 1 + up_to(300))); break;
      case 5: add(stream, ": memset ", buffer, part, fmt::format(" {}", up_to(255))); break;
      case 6: add(stream, ": record ", one_of({"e", "f"})); break;
      case 7: add(stream, ": wait ", one_of({"e", "f"})); break;
      case 8: add(stream, fmt::format(": hostfn {}us", up_to(50))); break;
      case 9: add("host: sync ", one_of({"device", "S0", "B1", "e", "default"})); break;
      case 10: add("host: poll ", one_of({"S1", "f", "per-thread"})); break;
      case 11: add("host: memcpy ", one_of({"h2d ", "d2h "}), buffer, part); break;
      case 12: add(fmt::format("host: work {}us", up_to(100))); break;
      default: add(stream, ": d2d x", part, " p", part); break;
    }
  }
  return text;
}

TEST_F(Gpu, RandomProgramsKeepTheRules) {
  std::mt19937 random(20261121);
  int verified = 0;
  for (int round = 0; round < 60; ++round) {
    const std::string text = random_program(random, round % 2 == 0);
    SCOPED_TRACE(text);
    Measured run;
    run.program = tests::program_of(text);
    auto loaded = load(run.program);
    ASSERT_TRUE(loaded) << loaded.error().message;
    auto pass = (*loaded)->run(device::Instrument::full, {});
    ASSERT_TRUE(pass) << pass.error().message;
    run.pass = std::move(*pass);
    expect_sane(run);
    const auto right = (*loaded)->verify();
    ASSERT_TRUE(right) << right.error().message;
    EXPECT_NE(*right, std::optional(false));
    verified += right->has_value() ? 1 : 0;
    if (HasFailure()) break;  // one program is enough to read
  }
  EXPECT_GE(verified, 25);
  std::printf("%d of 60 random programs had no hazards and were verified\n", verified);
}

}  // namespace
}  // namespace streamscope::cuda
