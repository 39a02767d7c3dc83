#include "app/cli/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "engine/base/files.h"
#include "engine/base/translate.h"

namespace streamscope::cli {
namespace {

std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (byte == 0xC2 && next >= 0x80 && next <= 0x9F) {  // U+0080 to U+009F: control characters too
      out += fmt::format("\\x{:02X}", next);
      ++i;
    } else if ((byte < 0x20 && kept.find(text[i]) == std::string_view::npos) || byte == 0x7F) {
      out += fmt::format("\\x{:02X}", byte);
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, "\n\t"); }
std::string printable_line(std::string_view text) { return escaped(text, ""); }

void print_stderr_text(std::string_view text) {
  const std::string shown = printable(text);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
  std::fflush(stderr);
}

int print_stdout(std::string_view text) {
  const auto written = write_text("-", printable(text));
  return written ? 0 : report(written.error());
}

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

void hold_standard_streams() {
  for (const auto& [descriptor, mode] : {std::pair{0, O_WRONLY}, {1, O_RDONLY}, {2, O_WRONLY}}) {
    // The lowest free number is taken, which is this one: those below are open by now.
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", mode) < 0) return;
  }
}

int report(const Error& error) {
  print_stderr("{}\n", error.message);
  if (error.fault && error.message.find(error.fault->call) == std::string::npos) {
    print_stderr_text(tr("{} returned {} ({}): {}\n", error.fault->call, error.fault->code, error.fault->name,
                         error.fault->operation));
  }
  return exit_code(error.kind);
}

}  // namespace streamscope::cli
