#include "engine/remote/confine.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace streamscope::remote {
namespace {

// Never raises one: what whoever started this process has set stays.
void limit(__rlimit_resource_t resource, rlim_t most) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) return;
  now.rlim_max = std::min(now.rlim_max, most);
  now.rlim_cur = std::min(now.rlim_cur, now.rlim_max);
  setrlimit(resource, &now);
}

}  // namespace

void confine() {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, kLargestFile);
  limit(RLIMIT_NOFILE, kMostDescriptors);
  std::signal(SIGXFSZ, SIG_IGN);  // a file too large is an error of whoever writes it, not the end
  // Whoever started it may be gone already: then its input has ended, and serve() reads that.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void keep_descriptors() { close_range(3, ~0u, CLOSE_RANGE_CLOEXEC); }

}  // namespace streamscope::remote
