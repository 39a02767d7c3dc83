// What is left of the processes that a test has started.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "engine/remote/descriptor.h"

namespace streamscope::session {

// No child of this process is left, neither running nor dead and unburied.
inline void expect_no_children() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

// Whether it ends. Only one that is left behind for good takes so long.
inline bool ends(pid_t process) {
  const remote::Descriptor alive(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  if (alive.get() < 0) return errno == ESRCH;
  pollfd watched{alive.get(), POLLIN, 0};
  return poll(&watched, 1, 60'000) == 1;
}

}  // namespace streamscope::session
