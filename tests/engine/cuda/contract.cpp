#include "tests/engine/cuda/contract.h"

#include <cuda_runtime_api.h>

#include "engine/program/read_program.h"

namespace streamscope::contract {

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  const auto add = [&](std::string name, device::Instrument instrument, device::Share share, bool gate) {
    device::PassRequest request(instrument);
    request.share = share;
    request.gate = gate;
    all.push_back({std::move(name), request});
  };
  for (const bool gate : {false, true}) {
    const std::string suffix = gate ? "Gated" : "";
    add("Full" + suffix, device::Instrument::full, {}, gate);
    add("Bare" + suffix, device::Instrument::bare, {}, gate);
    add("SampledAll" + suffix, device::Instrument::sampled, {0, 1}, gate);
    add("SampledThird" + suffix, device::Instrument::sampled, {1, 3}, gate);
  }
  return all;
}

program::Program program_of(const Subject& subject) {
  auto read = program::read_program(subject.text, subject.name);
  EXPECT_TRUE(read) << read.error().message;
  return read ? std::move(read->program) : program::Program{};
}

cuda::OpenOptions on_fake(unsigned cores) { return {fake_cuda::host_clock, cores, 512 << 10, 64 << 10}; }

std::shared_ptr<cuda::CudaContext> opened(unsigned cores, int index) {
  fake_cuda::phase("open");
  auto context = cuda::open_context(index, on_fake(cores));
  EXPECT_TRUE(context) << context.error().message;
  if (!context) return nullptr;
  give_back_idle(*context);
  return *context;
}

cuda::Gpus opened_for(const program::Program& program, unsigned cores) {
  cuda::Gpus gpus(opened(cores));
  while (gpus.size() < program::device_count(program)) gpus.add(opened(cores, static_cast<int>(gpus.size())));
  EXPECT_TRUE(gpus.first().use());
  return gpus;
}

void give_back_idle(const cuda::Gpus& gpus) {
  for (const auto& gpu : gpus) {
    for (std::size_t kind = 0; kind < cuda::kMemoryKinds; ++kind)
      gpu->pool->trim(static_cast<cuda::MemoryKind>(kind), 0);
  }
}

Way go(const cuda::Gpus& gpus, const program::Program& program, const device::PassRequest& request, int passes,
       const device::RunControl& control) {
  Way way;
  const auto stop_with = [&](const Error& error) {
    way.error = error;
    fake_cuda::phase("after");
  };
  fake_cuda::phase("load");
  auto loaded = cuda::CudaProgram::load(gpus, program, {});
  if (!loaded) return stop_with(loaded.error()), std::move(way);
  way.loaded = std::move(*loaded);
  way.stage = Stage::run;
  for (int i = 0; i < passes; ++i) {
    fake_cuda::phase("run");
    auto pass = way.loaded->run(request, control);
    if (!pass) return stop_with(pass.error()), std::move(way);
    way.passes.push_back(std::move(*pass));
  }
  way.stage = Stage::verify;
  fake_cuda::phase("verify");
  auto verified = way.loaded->verify();
  if (!verified) return stop_with(verified.error()), std::move(way);
  way.verified = *verified;
  way.stage = Stage::done;
  fake_cuda::phase("after");
  return way;
}

void expect_works(const cuda::Gpus& gpus, const program::Program& program, const device::PassRequest& request) {
  const Way way = go(gpus, program, request, 1);
  ASSERT_FALSE(way.error) << way.error->message;
  EXPECT_EQ(way.verified, true) << testing::PrintToString(trace::texts(way.loaded->notes()));
}

void expect_nothing_left() {
  EXPECT_EQ(fake_cuda::live(), fake_cuda::Live{}) << fake_cuda::describe(fake_cuda::live());
  EXPECT_TRUE(fake_cuda::misuses().empty()) << testing::PrintToString(fake_cuda::misuses());
}

void expect_nothing_held() {
  EXPECT_EQ(fake_cuda::held_streams(), 0u);
  EXPECT_TRUE(fake_cuda::misuses().empty()) << testing::PrintToString(fake_cuda::misuses());
}

void Contract::SetUp() {
  fake_cuda::reset();
  program_ = program_of(subject());
  fresh();
  const auto loaded = cuda::CudaProgram::load(opened_for(program_), program_, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto possible = (*loaded)->can(request());
  if (!possible) GTEST_SKIP() << "not possible: " << possible.error().message;
}

std::string name_of(const testing::TestParamInfo<std::tuple<std::size_t, std::size_t>>& info) {
  return std::string(kSubjects[std::get<0>(info.param)].name) + "_" + kinds()[std::get<1>(info.param)].name;
}

}  // namespace streamscope::contract
