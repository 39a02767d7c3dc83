// The real executable as a child process: what it is given, what it says.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace streamscope::cli {

struct ChildResult {
  int code = -1;   // exit code; -1: it was killed
  int signal = 0;  // the signal that killed it
  std::string out, err;
};

struct ChildOptions {
  std::string input;  // its standard input
  std::map<std::string, std::string>
      environment;         // on top of this process's own, DISPLAY and WAYLAND_DISPLAY taken out
  std::string stop_after;  // sends SIGINT once standard error holds this text
};

// Runs streamscope with the arguments to its end; a child that takes longer than a minute, or five under a
// sanitizer, is killed.
ChildResult streamscope_child(const std::vector<std::string>& arguments, const ChildOptions& options = {});

}  // namespace streamscope::cli
