// The test program is its own engine: a session without a command starts this executable with the argument "engine".
// With "window" it is one that has nothing but a session in live mode, until somebody kills it.
#include <gtest/gtest.h>

#include <cstdio>
#include <string_view>

#include "engine/remote/confine.h"
#include "engine/remote/serve.h"
#include "tests/support/session_watch.h"

namespace {

// Says a line when the engine is up, and for each run.
void live() {
  using namespace streamscope;
  testing_session::Watch watch("");
  remote::message::StartRun run;
  run.device = "model";
  run.program = "buffer x 1MiB\nstream A\nA: h2d x\n";
  for (int asked = 0; const auto event = watch.next();) {
    const bool done = std::holds_alternative<session::session_event::RunDone>(*event);
    if (!done && !std::holds_alternative<session::session_event::EngineUp>(*event)) continue;
    std::puts("");
    std::fflush(stdout);
    run.options.runs = ++asked % 3 == 0 ? 100'000 : 1;
    watch.session().start(run);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "engine") {
    streamscope::remote::confine();
    return streamscope::remote::serve(0, 1);
  }
  if (argc == 2 && std::string_view(argv[1]) == "window") live();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
