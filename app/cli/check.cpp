// `streamscope check FILE`: what is wrong with an experiment or a program, without running it.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/input.h"

namespace streamscope {

void add_check(CLI::App& app, Action& action) {
  struct Options {
    std::string file;
    std::vector<std::string> settings;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Tell what is wrong with an experiment or a program");
  command->add_option("FILE", options->file, "An experiment, a program, or - for standard input")
      ->required()
      ->type_name("");
  command->add_option("--set", options->settings, "Set a key of the experiment")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->callback([&action, options] {
    action = [options] {
      const auto input = read_input(options->file, options->settings);
      if (!input) return report(input.error());
      fmt::print(stderr, "{}", with_line_end(input->warnings));
      fmt::print("{}: {}\n", input->file, size_of(input->checked));
      return 0;
    };
  });
}

}  // namespace streamscope
