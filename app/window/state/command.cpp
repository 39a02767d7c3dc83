#include "app/window/state/command.h"

#include <utility>

namespace streamscope::window {

template <class K>
requires(!std::same_as<K, Command>) [[gnu::used]] Command::Command(K what) : kind_(std::move(what)) {}

Command::Command(const Command&) = default;
Command::Command(Command&&) noexcept = default;
Command& Command::operator=(const Command&) = default;
Command& Command::operator=(Command&&) noexcept = default;
Command::~Command() = default;

namespace {

template <class K>
void make_each(const K& some) {
  static_cast<void>(Command(some));
}
template <class... K>
void make_each(const std::variant<K...>& some) {
  (make_each(std::get<K>(some)), ...);
}

// Never called: it names the constructor for each kind, so that all of them are compiled here.
[[maybe_unused]] void make_each_kind(const Command::Kind& kind) { make_each(kind); }

}  // namespace
}  // namespace streamscope::window
