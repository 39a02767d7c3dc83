// `streamscope engine`: the process that the window talks to.
#include "app/cli/commands.h"
#include "engine/remote/serve.h"

namespace streamscope {

void add_engine(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("engine", "Run programs for a window, over standard input and output");
  command->callback([&action] { action = [] { return serve(0, 1); }; });
}

}  // namespace streamscope
