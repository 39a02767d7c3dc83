#include "app/window/probe.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>

namespace streamscope::window {

Probe::Probe() {
  const char* wanted = std::getenv("STREAMSCOPE_TIMINGS");
  on_ = wanted != nullptr && *wanted != '\0' && *wanted != '0';
}

void Probe::write(const std::string& line) {
  std::fputs((line + "\n").c_str(), stderr);
  std::fflush(stderr);
}

void Probe::widget(const std::string& name, ImVec2 from, ImVec2 to) {
  if (!on_) return;
  std::string place = fmt::format("{:.0f} {:.0f} {:.0f} {:.0f}", from.x, from.y, to.x - from.x, to.y - from.y);
  Seen& seen = seen_[name];
  if (place == seen.last && place != seen.told) {
    seen.told = place;
    write(fmt::format("widget {} {}", name, place));
  }
  seen.last = std::move(place);
}

Nanoseconds process_age() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  if (!std::getline(file, line)) return kAbsent;
  const auto after_name = line.rfind(')');  // the name may hold blanks
  if (after_name == std::string::npos) return kAbsent;
  std::istringstream fields(line.substr(after_name + 2));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  long long ticks = 0;  // field 22: since boot
  if (!(fields >> ticks)) return kAbsent;
  timespec now{};
  if (clock_gettime(CLOCK_BOOTTIME, &now) != 0) return kAbsent;
  return now.tv_sec * 1'000'000'000 + now.tv_nsec - ticks * (1'000'000'000 / sysconf(_SC_CLK_TCK));
}

}  // namespace streamscope::window
