// One line on standard error that says how far a command is. On a terminal only: a log has no use for it.
#pragma once

#include <string_view>

namespace streamscope::cli {

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

}  // namespace streamscope::cli
