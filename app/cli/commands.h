// The commands. Each adds its options to the command line and, where it was the one typed, sets what is to be done.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "app/cli/cli.h"
#include "engine/base/error.h"

namespace streamscope::cli {

using Action = std::function<int()>;  // returns the process's exit code

void add_window(CLI::App& app, Action& action, const OpenWindow& open_window);
void add_run(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_devices(CLI::App& app, Action& action);
void add_calibrate(CLI::App& app, Action& action);
void add_engine(CLI::App& app, Action& action);
void add_help(CLI::App& app, Action& action);   // `help`: what --help says
void add_later(CLI::App& app, Action& action);  // commands of later versions, which say so

// Tells the error on stderr and gives its exit code.
int report(const Error& error);

}  // namespace streamscope::cli
