#include "engine/base/ending.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <system_error>

namespace streamscope {
namespace {

// All that the handler reads. A place is free, then being written, then holds a name.
enum class Held : int { free, writing, name };
struct Place {
  std::atomic<Held> held = Held::free;
  std::array<char, 4096> name{};
};
std::array<Place, 32> places;
std::atomic<int> waits = 0;
static_assert(std::atomic<Held>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void look_after_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL)
      continue;
    struct sigaction ours {};
    ours.sa_handler = end_by_signal;
    sigemptyset(&ours.sa_mask);
    ::sigaction(signal, &ours, nullptr);
  }
}

}  // namespace

RemovedWhenEnded::RemovedWhenEnded(const std::filesystem::path& file) {
  look_after_signals();
  std::error_code error;
  const std::string name = std::filesystem::absolute(file, error).string();
  if (error || name.size() >= places[0].name.size()) return;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Held expected = Held::free;
    if (!places[i].held.compare_exchange_strong(expected, Held::writing)) continue;
    std::memcpy(places[i].name.data(), name.c_str(), name.size() + 1);
    places[i].held = Held::name;
    place_ = static_cast<int>(i);
    return;
  }
}

RemovedWhenEnded::~RemovedWhenEnded() {
  if (place_ >= 0) places[static_cast<std::size_t>(place_)].held = Held::free;
}

EndlessWait::EndlessWait() { ++waits; }
EndlessWait::~EndlessWait() { --waits; }
bool EndlessWait::any() { return waits > 0; }

void end_by_signal(int signal) {
  for (const Place& each : places)
    if (each.held == Held::name) ::unlink(each.name.data());
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // it is blocked while its handler runs, and ends the process when that returns
}

}  // namespace streamscope
