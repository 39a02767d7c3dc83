#include "app/cli/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "app/cli/terminal.h"

namespace streamscope::cli {

StatusLine::StatusLine() : shown_(::isatty(STDERR_FILENO) == 1) {}

StatusLine::~StatusLine() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void StatusLine::show(std::string_view text) {
  if (!shown_) return;
  // A line that wraps could not be wiped.
  winsize size{};
  const bool known_width = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  const std::string shown = printable_line(text).substr(0, known_width ? size.ws_col - 1u : 79u);
  fmt::print(stderr, "\r\x1b[K{}", shown);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace streamscope::cli
