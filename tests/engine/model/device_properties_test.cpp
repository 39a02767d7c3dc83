// What must hold of any program of several devices: programs at random, each with its seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "engine/program/order/order.h"
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

constexpr int kDevices = 3, kStreams = 6;

class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  std::string program() {
    text_ = "buffer x 64MiB device=0,1,2\nbuffer y 64MiB device=0,1,2\n";
    for (int i = 0; i < kStreams; ++i)
      text_ += fmt::format("stream S{} device={}{}\n", i, i % kDevices, upto(2) == 0 ? " nonblocking" : "");
    for (int i = 0; i < 40; ++i) statement();
    return text_;
  }

 private:
  int upto(int count) { return static_cast<int>(random_() % static_cast<std::uint32_t>(count)); }

  void statement() {
    const int stream = upto(kStreams);
    const char* const buffer = upto(2) == 0 ? "x" : "y";
    const std::string range = fmt::format("[{0}:{0}]", 1 << (12 + upto(14)));
    switch (upto(11)) {
      case 0: return add("S{}: h2d {}{}", stream, buffer, range);
      case 1: return add("S{}: d2h {}{}", stream, buffer, range);
      case 2: return add("S{}: axpb {}{} fma=16", stream, buffer, range);
      case 3:
      case 4: return peer(stream, range);
      case 5: recorded_.push_back(events_); return add("S{}: record e{}", stream, events_++);
      case 6:
        if (events_ > 0) add("S{}: wait e{}", stream, recorded_[static_cast<std::size_t>(upto(events_))]);
        return;
      case 7: return add("host: device {}", upto(kDevices));
      case 8: return add("host: sync {}", upto(2) == 0 ? "device" : fmt::format("S{}", stream));
      case 9: return access();
      default: return add("{}: memset {}{} 1", upto(2) == 0 ? "default" : "per-thread", buffer, range);
    }
  }

  void peer(int stream, const std::string& range) {
    const int here = stream % kDevices, there = (here + 1 + upto(kDevices - 1)) % kDevices;
    const auto [to, from] = upto(2) == 0 ? std::pair(here, there) : std::pair(there, here);
    add("S{}: peer x{}@{} y{}@{}", stream, range, to, range, from);
  }
  void access() {
    const int one = upto(kDevices), other = (one + 1) % kDevices;
    bool& on = reached_[std::minmax(one, other)];
    on = !on;
    add("host: peer {} {} {}", one, other, on ? "on" : "off");
  }

  template <class... Values>
  void add(fmt::format_string<Values...> line, Values&&... values) {
    text_ += fmt::format(line, std::forward<Values>(values)...) + '\n';
  }

  std::mt19937 random_;
  std::string text_;
  int events_ = 0;
  std::vector<int> recorded_;
  std::map<std::pair<int, int>, bool> reached_;
};

// When it starts that much more of the bytes of `these` have not been moved than the links could have.
void expect_within_rate(const Simulated& run, const std::vector<OperationIndex>& these, double rate) {
  for (const OperationIndex first : these) {
    double bytes = 0;
    Nanoseconds end = 0;
    for (const OperationIndex each : these) {
      if (run[each].start < run[first].start) continue;
      bytes += static_cast<double>(run[each].bytes);
      end = std::max(end, run[each].end);
      EXPECT_LE(bytes, rate * static_cast<double>(end - run[first].start) * 1.001 + 4096) << each;
    }
  }
}

class DeviceProperties : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(DeviceProperties, Hold) {
  const std::string text = Writer(GetParam()).program();
  SCOPED_TRACE(text);
  auto profile = catalog::open_profile(device::model_of(fmt::format("h200x{}", kDevices)));
  ASSERT_TRUE(profile);
  const Simulated run = simulate(text, *profile);
  ASSERT_EQ(run.spans.size(), run.program.operations.size());
  const program::Dependencies order(run.program);
  std::map<std::uint32_t, std::vector<OperationIndex>> out, in;
  for (OperationIndex i = 0; i < run.spans.size(); ++i) {
    const trace::Span& span = run[i];
    const program::Operation& operation = run.program.operations[i];
    ASSERT_TRUE(known(span.end) && span.start <= span.end) << i;
    for (const program::Dependency& one : order.of(i)) {
      EXPECT_GE(operation.stream ? span.start : span.host_end, run[one.on].end) << one.on << " before " << i;
    }
    if (operation.stream) {
      EXPECT_GE(span.start, span.host_begin) << i;
    }
    EXPECT_LE(span.end, run.wall) << i;
    if (span.kind != OperationKind::peer) continue;
    EXPECT_NE(span.device, span.to_device) << i;
    out[span.device].push_back(i);
    in[span.to_device].push_back(i);
  }
  const double rate = 393;  // bytes in a nanosecond
  for (auto* const ways : {&out, &in}) {
    for (auto& [device, copies] : *ways) {
      std::ranges::sort(copies, {}, [&](OperationIndex i) { return run[i].start; });
      expect_within_rate(run, copies, rate);
    }
  }
  EXPECT_EQ(simulate(text, *profile).spans, run.spans);
}
INSTANTIATE_TEST_SUITE_P(Seeds, DeviceProperties, ::testing::Range(0u, 60u));

}  // namespace
}  // namespace streamscope::model
