// The only place that knows everything: the command line, and the window where it was built.
#include "app/cli/cli.h"
#if STREAMSCOPE_GUI
#include "app/panels/window.h"
#endif

int main(int argc, char** argv) {
#if STREAMSCOPE_GUI
  return streamscope::command_line(argc, argv, streamscope::open_window);
#else
  return streamscope::command_line(argc, argv, {});
#endif
}
