// Text for the person at the terminal. Where standard error cannot be written the text is lost and nothing stops: a
// run's files matter more than the line about them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include <utility>
#include "engine/base/error.h"

namespace streamscope::cli {

// Control characters but line ends and tabs become "\x1B", so that a name in a file cannot steer the terminal.
std::string printable(std::string_view text);
// The same for one line: line ends and tabs as well.
std::string printable_line(std::string_view text);

// On standard error, as printable() has it; a failure is ignored.
void print_stderr_text(std::string_view text);
template <class... Values>
void print_stderr(fmt::format_string<Values...> form, Values&&... values) {
  print_stderr_text(fmt::format(form, std::forward<Values>(values)...));
}

// On standard output, as printable() has it. Gives the exit code: a full disk or a closed output is an error.
int print_stdout(std::string_view text);

// One line on standard error that says how far a command is. On a terminal only: a log has no use for it.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine();  // wipes it
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(std::string_view text);  // as printable_line() has it, no wider than the terminal

 private:
  bool shown_;
  bool drawn_ = false;
};

// Prints the error on standard error and gives its exit code.
int report(const Error& error);

// A standard stream that came closed gets a stand-in, which fails as before (error output: takes all), so that no file
// opened later becomes standard output.
void hold_standard_streams();

}  // namespace streamscope::cli
