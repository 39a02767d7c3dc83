#include "engine/device/model/profile/profile_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/quantity.h"
#include "engine/base/suggest.h"
#include "engine/base/translate.h"
#include "engine/device/model/profile/description.h"

namespace streamscope::model {
namespace {

// By the number's type, and where that leaves it open by its unit.
template <class Value>
constexpr NumberKind kind_of(std::string_view unit) {
  if (std::is_same_v<Value, TimeBySize>) return NumberKind::times;
  if (std::is_same_v<Value, bool>) return NumberKind::yes;
  if (std::is_same_v<Value, CopyQueue>) return NumberKind::queue;
  return unit == "ns"    ? NumberKind::time
         : unit == "B"   ? NumberKind::size
         : unit == "B/s" ? NumberKind::rate
         : unit == "MHz" ? NumberKind::clock
         : unit == "ppm" ? NumberKind::share
                         : NumberKind::count;
}

template <class Member>
ProfileNumber number_of(const Member& member) {
  using Value = std::decay_t<decltype(Member::of(std::declval<Profile&>()))>;
  const std::size_t dot = member.key.find('.');
  const NumberKind kind = kind_of<Value>(member.unit);
  ProfileNumber made{member.key, {}, {}, kind, member.least, member.most, member.meaning};
  made.section = member.key.substr(0, dot), made.key = member.key.substr(dot + 1);
  if (kind == NumberKind::time) made.least = 0, made.most = static_cast<double>(kLongestModelled);
  if constexpr (std::is_same_v<Value, TimeBySize>) {
    made.table = [](const Profile& profile) -> const TimeBySize& { return Member::of(profile); };
    made.mutable_table = [](Profile& profile) -> TimeBySize& { return Member::of(profile); };
  } else {
    made.get = [](const Profile& profile) { return static_cast<double>(Member::of(profile)); };
    made.set = [](Profile& profile, double value) { Member::of(profile) = static_cast<Value>(value); };
  }
  return made;
}

std::vector<ProfileNumber> all_numbers() {
  std::vector<ProfileNumber> all;
  schema::each_member<Profile>([&](const auto& member) { all.push_back(number_of(member)); });
  return all;
}

struct OfKind {
  Scale scale;
  std::string_view example;
};
constexpr OfKind kKinds[] = {
    // in the enumerators' order
    {{"ns", 1}, tr_later("a time such as \"1500ns\" or \"4.5us\"")},
    {{"", 1}, tr_later("a size such as \"64KiB\"")},
    {{"", 1}, tr_later("a whole number")},
    {{"GB/s", 1e9}, tr_later("a rate such as \"55.5GB/s\"")},
    {{"MHz", 1}, tr_later("a clock such as \"1980MHz\"")},
    {{"", 1e6}, tr_later("a number such as 0.92")},
    {{"", 1}, tr_later("true or false")},
    {{"", 1}, tr_later("\"eligible\", \"issue\" or \"channel\"")},
    {{"", 1}, tr_later("a table of points")},
};
const OfKind& of_kind(NumberKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

constexpr WhatIf kWhatIfs[] = {
    {"copies.engines", tr_later("Copy engines"), 1, 4},
    {kLink, tr_later("Link speed"), 1e9, 500e9},
    {"compute.multiprocessors", tr_later("Multiprocessors"), 1, 264},
    {"compute.memory_rate", tr_later("Memory rate"), 50e9, 10e12},
    {"compute.clock", tr_later("Clock"), 300, 4000},
    {kHostPace, tr_later("Host pace"), 0.5e6, 4e6},
    {"host.launch", tr_later("Launch cost"), 0, 50'000},
    {"streams.connections", tr_later("Hardware queues"), 1, 128},
    {kPeerLink, tr_later("Device link"), 1e9, 2e12},
    {"links.event", tr_later("Device event"), 0, 50'000},
    {"links.access", tr_later("Peer access"), 0, 20'000'000},
};

// Of the largest sizes of a table.
double rate_of(const TimeBySize& table) {
  const auto& points = table.points;
  const TimeBySize::Point &before_last = points[points.size() - 2], &last = points.back();
  return 1e9 * static_cast<double>(last.bytes - before_last.bytes) /
         static_cast<double>(std::max<Nanoseconds>(1, last.time - before_last.time));
}

constexpr LinkRate kLinkRates[] = {
    {kLink, tr_later("The rate of large copies over the bus, and with it that of every other copy."), link_rate},
    {kPeerLink, tr_later("The rate of large copies between devices that reach each other's memory."),
     [](const Profile& profile) { return rate_of(profile.links.peer); }},
};

std::string number_text(double value) {
  std::string text = fmt::format("{:.6f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string value_text(NumberKind kind, double value) {
  switch (kind) {
    case NumberKind::time: return exact_duration(static_cast<Nanoseconds>(value));
    case NumberKind::size: return exact_bytes(static_cast<std::uint64_t>(value));
    case NumberKind::count: return fmt::format("{}", static_cast<std::int64_t>(value));
    case NumberKind::rate:
    case NumberKind::clock:
    case NumberKind::share: return number_text(value / scale_of(kind).one).append(scale_of(kind).unit);
    case NumberKind::yes: return value != 0 ? "true" : "false";
    case NumberKind::queue: return std::string(name_of(static_cast<CopyQueue>(value)));
    case NumberKind::times: break;
  }
  return {};
}

std::optional<double> plain(std::string_view digits) {
  const std::string text(digits);
  if (text.empty() || text.find_first_not_of("0123456789.-+e") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == '\0' && std::isfinite(value) ? std::optional(value) : std::nullopt;
}
template <class T>
std::optional<double> kept(const Result<T>& parsed) {
  return parsed ? std::optional(static_cast<double>(*parsed)) : std::nullopt;
}

std::optional<double> value_of(NumberKind kind, std::string_view text) {
  switch (kind) {
    case NumberKind::time: return kept(parse_duration(text));
    case NumberKind::size: return kept(parse_bytes(text));
    case NumberKind::count: {
      const auto value = plain(text);
      return value && *value == std::floor(*value) ? value : std::nullopt;
    }
    case NumberKind::rate:
    case NumberKind::clock:
    case NumberKind::share: {
      const auto [unit, one] = scale_of(kind);
      if (!text.ends_with(unit)) return std::nullopt;
      const auto value = plain(text.substr(0, text.size() - unit.size()));
      return value ? std::optional(std::round(*value * one)) : std::nullopt;
    }
    case NumberKind::yes:
      if (text == "true") return 1;
      return text == "false" ? std::optional(0.0) : std::nullopt;
    case NumberKind::queue:
      if (const auto queue = by_name<CopyQueue>(text)) return static_cast<double>(*queue);
      return std::nullopt;
    case NumberKind::times: break;
  }
  return std::nullopt;
}

Result<double> parse(NumberKind kind, double least, double most, std::string_view name, std::string_view given) {
  const auto value = value_of(kind, given);
  if (value && *value >= least && *value <= most) return *value;
  const bool limits = kind != NumberKind::yes && kind != NumberKind::queue && kind != NumberKind::times;
  return fail(ErrorKind::bad_input,
              tr("\"{}\" must be {}{}", name, tr(of_kind(kind).example),
                 limits ? tr(", from {} to {}", value_text(kind, least), value_text(kind, most)) : std::string()));
}

std::string known_keys() {
  std::string all = fmt::format("{}, {}", kLink, kPeerLink);
  for (const ProfileNumber& one : profile_numbers()) {
    if (one.kind != NumberKind::times) all.append(", ").append(one.path);
  }
  return all;
}

// "; did you mean 'copies.engines'?", of "copies.engine" and of "engines", or nothing.
std::string meant_by(std::string_view key) {
  std::vector<std::string_view> known{kLink, kPeerLink};
  std::string_view word = key;
  for (const ProfileNumber& one : profile_numbers()) {
    if (one.kind == NumberKind::times) continue;
    known.push_back(one.path);
    if (one.key == key) word = one.path;
  }
  return did_you_mean(word, known);
}

// What a copy costs besides its bytes is the time of the smallest one.
void scale(TimeBySize& table, double by) {
  const Nanoseconds base = table.points.front().time;
  for (TimeBySize::Point& point : table.points) {
    point.time = base + static_cast<Nanoseconds>(std::llround(std::min(static_cast<double>(point.time - base) * by,
                                                                       static_cast<double>(kLongestModelled / 2))));
    point.origin = Origin::assumed;
  }
}

void set_rate(Profile& profile, const LinkRate& link, double rate) {
  const double by = link.rate(profile) / rate;
  if (link.key == kPeerLink) return scale(profile.links.peer, by);
  for (TimeBySize* table : {&profile.copies.h2d, &profile.copies.d2h, &profile.copies.h2d_pageable,
                            &profile.copies.d2h_pageable, &profile.managed.fault_in, &profile.managed.fault_out,
                            &profile.managed.prefetch_in, &profile.managed.prefetch_out, &profile.managed.mapped}) {
    scale(*table, by);
  }
}

}  // namespace

std::span<const ProfileNumber> profile_numbers() {
  static const std::vector<ProfileNumber> kNumbers = all_numbers();
  return kNumbers;
}
Scale scale_of(NumberKind kind) { return of_kind(kind).scale; }

std::span<const WhatIf> what_ifs() { return kWhatIfs; }

std::optional<std::size_t> find_number(std::string_view key) {
  for (std::size_t i = 0; i < profile_numbers().size(); ++i) {
    if (profile_numbers()[i].path == key) return i;
  }
  return std::nullopt;
}

std::string text(const ProfileNumber& number, const Profile& profile) {
  if (number.kind == NumberKind::times) return tr("{} points", number.table(profile).points.size());
  return value_text(number.kind, number.get(profile));
}

Result<double> parse_number(const ProfileNumber& number, std::string_view given) {
  return parse(number.kind, number.least, number.most, number.key, given);
}

double link_rate(const Profile& profile) { return rate_of(profile.copies.h2d); }

std::span<const LinkRate> link_rates() { return kLinkRates; }

const LinkRate* find_link_rate(std::string_view key) {
  const LinkRate* const at = std::ranges::find(kLinkRates, key, &LinkRate::key);
  return at == std::end(kLinkRates) ? nullptr : at;
}

Result<void> change(Profile& profile, std::string_view key, std::string_view value) {
  Profile changed = profile;
  std::string was, is;
  if (const LinkRate* const link = find_link_rate(key)) {
    const auto rate = TRY(parse(NumberKind::rate, 1e6, 1e15, key, value));
    was = value_text(NumberKind::rate, std::round(link->rate(profile) / 1e7) * 1e7);
    is = value_text(NumberKind::rate, rate);
    set_rate(changed, *link, rate);
  } else {
    const auto index = find_number(key);
    if (!index || profile_numbers()[*index].kind == NumberKind::times) {
      const std::string wrong = tr("\"{}\" is no number of a profile that can be changed", key);
      const std::string meant = meant_by(key);
      return fail(ErrorKind::bad_input, wrong + (meant.empty() ? tr("; there are {}", known_keys()) : meant));
    }
    const ProfileNumber& number = profile_numbers()[*index];
    const auto wanted = TRY(parse(number.kind, number.least, number.most, key, value));
    was = text(number, profile);
    number.set(changed, wanted);
    is = text(number, changed);
    if (*index < changed.origins.size()) changed.origins[*index] = Origin::assumed;
  }
  if (const auto wrong = check_profile(changed)) return fail(ErrorKind::bad_input, *wrong);
  if (is != was) changed.changes.push_back({std::string(key), is, was});
  profile = std::move(changed);
  return {};
}

std::optional<std::string> check_profile(const Profile& profile) {
  const Profile::Compute& sm = profile.compute;
  if (sm.block_threads > sm.threads || sm.block_shared + sm.block_shared_reserved > sm.shared_bytes) {
    return tr(
        "a block of block_threads or block_shared_memory (and what is reserved) does not fit on a multiprocessor of "
        "threads and shared_memory");
  }
  return std::nullopt;
}

}  // namespace streamscope::model
