// The only place that knows everything: the command line, and the window where it was built.
#include "app/cli/cli.h"
#if STREAMSCOPE_GUI
#include "app/cli/interrupt.h"
#include "app/window/effects/remembered_file.h"
#include "app/window/panels/key_help.h"
#include "app/window/platform/window.h"
#endif

int main(int argc, char** argv) {
#if STREAMSCOPE_GUI
  return streamscope::cli::command_line(
      argc, argv,
      {[](const std::string& file, const std::string& engine_command) {
         const streamscope::cli::Interrupt interrupt;
         return streamscope::window::open_window(file, engine_command, interrupt.flag());
       },
       [](const std::filesystem::path& folder, streamscope::lesson::Language language, const std::string& device) {
         const streamscope::cli::Interrupt interrupt;
         return streamscope::window::open_lesson(folder, language, device, interrupt.flag());
       },
       streamscope::window::chosen_language},
      streamscope::window::key_help);
#else
  return streamscope::cli::command_line(argc, argv, {});
#endif
}
