// `streamscope check FILE`: what is wrong with an experiment or a program, without running it.
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/cli/tell.h"

namespace streamscope::cli {

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
      tell_text(with_line_end(input->warnings));
      return say(fmt::format("{}: {}\n", input->file, size_of(input->checked)));
    };
  });
}

}  // namespace streamscope::cli
