// A program's text, run on the model: its spans by line, and shorthands for what tests ask of them.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/files.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/model/model.h"
#include "tests/support/program_of.h"

namespace streamscope::model {

inline constexpr Nanoseconds us = 1'000;

// Numbers like those of an H200 that stay what they are.
inline Profile h200() {
  auto profile = catalog::read_profile(STREAMSCOPE_SOURCE "/tests/golden/model-profile.toml");
  EXPECT_TRUE(profile) << profile.error().message;
  return std::move(*profile);
}

struct Simulated {
  program::Program program;
  std::vector<trace::Span> spans;
  trace::Answers answers = {};
  Nanoseconds wall = 0;

  // The n-th operation, from 0. Programs in tests without `repeat` have one an issuing line.
  const trace::Span& operator[](std::size_t index) const { return spans.at(index); }
};

inline Simulated simulate(program::Program program, Profile profile = h200()) {
  Simulated result{std::move(program), {}};
  const auto device = make_model(std::move(profile));
  auto loaded = device->load(result.program, {});
  EXPECT_TRUE(loaded) << loaded.error().message;
  if (!loaded) return result;
  auto pass = (*loaded)->run(device::Instrument::full, {});
  EXPECT_TRUE(pass) << pass.error().message;
  if (!pass) return result;
  result.spans = std::move(pass->spans);
  result.answers = std::move(pass->answers);
  result.wall = pass->wall;
  return result;
}
inline Simulated simulate(std::string_view text, Profile profile = h200()) {
  return simulate(tests::program_of(text), std::move(profile));
}

inline bool overlap(const trace::Span& a, const trace::Span& b) { return a.start < b.end && b.start < a.end; }
inline Nanoseconds took(const trace::Span& span) { return span.end - span.start; }
inline Nanoseconds held(const trace::Span& span) { return span.host_end - span.host_begin; }

}  // namespace streamscope::model
