// All numbers of a profile in one table, made from description.h: what reads, writes, changes and fits them goes
// through here.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/base/translate.h"
#include "engine/device/model/profile/profile.h"

namespace streamscope::model {

enum class NumberKind : std::uint8_t {
  time,   // "1500ns"; the value is nanoseconds
  size,   // "64KiB"; bytes
  count,  // 132
  rate,   // "55.5GB/s"; bytes a second
  clock,  // "1980MHz"; megahertz
  share,  // 0.92; millionths
  yes,    // true, false; 1, 0
  queue,  // a CopyQueue's name
  times,  // a table, TimeBySize
};

// What follows a plain number of that kind, and how many of what a Profile counts in it stands for.
struct Scale {
  std::string_view unit;
  double one;
};
Scale scale_of(NumberKind kind);

struct ProfileNumber {
  std::string_view path, section, key;  // "copies.engines", "copies", "engines"
  NumberKind kind;
  double least, most;        // of the value
  std::string_view meaning;  // one line, for the file's comment and the window's tip
  // For a single number.
  double (*get)(const Profile&) = nullptr;
  void (*set)(Profile&, double) = nullptr;
  // For a table.
  const TimeBySize& (*table)(const Profile&) = nullptr;
  TimeBySize& (*mutable_table)(Profile&) = nullptr;
};

std::span<const ProfileNumber> profile_numbers();
// "copies.engines"; nothing where there is none of that name.
std::optional<std::size_t> find_number(std::string_view path);

// "3", "55.5GB/s", "1500ns": as in the file. For a table: "N points".
std::string text(const ProfileNumber& number, const Profile& profile);
// The value of such a text, within the number's limits. Error bad_input, with an example of what is accepted.
Result<double> parse_number(const ProfileNumber& number, std::string_view text);

// A number that people change to ask "what if": copy engines, link speed, multiprocessors, launch cost ...
struct WhatIf {
  std::string_view key;  // what change() takes
  std::string_view name;
  double least, most;  // of a slider
};
std::span<const WhatIf> what_ifs();
// No number of a profile but the rate of its large copies, in bytes a second, and with it that of every other copy that
// goes the same way: pageable and managed memory too over the bus, with peer access between devices. What a copy costs
// besides its bytes stays.
inline constexpr std::string_view kLink = "copies.link", kPeerLink = "links.rate";
struct LinkRate {
  std::string_view key;
  std::string_view meaning;
  double (*rate)(const Profile&);
};
std::span<const LinkRate> link_rates();
const LinkRate* find_link_rate(std::string_view key);  // null: there is none of that name
double link_rate(const Profile& profile);              // over the bus
// Of several devices alone.
inline bool of_links(std::string_view key) { return key.starts_with("links."); }
// How slow the host is, as a factor on its calls that queue work (engine/measure/host_pace.h measures it).
inline constexpr std::string_view kHostPace = "host.pace";

// key "copies.engines", value "1". Notes it in Profile::changes. Errors bad_input: no such number, no such value, a
// table, or a profile that would not hold together (check_profile).
Result<void> change(Profile& profile, std::string_view key, std::string_view value);
// What the limits of single numbers cannot ensure: the largest block must fit on an empty multiprocessor, or it would
// wait for ever.
std::optional<std::string> check_profile(const Profile& profile);

}  // namespace streamscope::model
