// A program's text, run on the model, with the verdict's history of it.
#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string_view>
#include <utility>

#include "engine/device/blank_trace.h"
#include "engine/verdict/history.h"
#include "tests/engine/model/simulated.h"

namespace streamscope::verdict {

// Of slices of any sort.
MATCHER_P2(HeldBy, cause, operation, "") { return arg.cause == cause && arg.by == operation; }
MATCHER_P(IsCause, cause, "") { return arg.cause == cause; }

struct Judged {
  program::Program program;
  trace::Trace trace;
  Nanoseconds wall = 0;
  std::unique_ptr<const History> history;
};

// On the heap: the history refers to the other members.
inline std::unique_ptr<Judged> judged(program::Program program, model::Profile profile = model::h200()) {
  auto out = std::make_unique<Judged>();
  out->program = std::move(program);
  const auto device = model::make_model(std::move(profile));
  auto loaded = device->load(out->program, {});
  EXPECT_TRUE(loaded) << loaded.error().message;
  if (!loaded) return out;
  auto pass = (*loaded)->run(device::Instrument::full, {});
  EXPECT_TRUE(pass) << pass.error().message;
  if (!pass) return out;
  out->trace = (*loaded)->frame();
  out->trace.spans = std::move(pass->spans);
  out->wall = pass->wall;
  out->history = std::make_unique<History>(out->trace, &out->program);
  return out;
}
inline std::unique_ptr<Judged> judged(std::string_view text, model::Profile profile = model::h200()) {
  return judged(tests::program_of(text), std::move(profile));
}

}  // namespace streamscope::verdict
