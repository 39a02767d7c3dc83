#include "engine/device/model/profile.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/base/files.h"
#include "engine/base/quantity.h"

namespace streamscope {
namespace {

constexpr Nanoseconds kLongestTime = 365ll * 86'400 * 1'000'000'000;

struct Problem {
  toml::source_position at;
  std::string message;
};

// "12.5GB/s" or "1980MHz": the number before the unit.
std::optional<double> number_before(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) return std::nullopt;
  const std::string digits(text.substr(0, text.size() - unit.size()));
  if (digits.empty() || digits.find_first_not_of("0123456789.") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(digits.c_str(), &end);
  if (*end != '\0' || !std::isfinite(number) || number <= 0 || number > 1e9) return std::nullopt;
  return number;
}

// Reads one section; whatever is wrong goes to the list, and the value read is then of no account.
class Section {
 public:
  Section(const toml::table& whole, std::string_view name, std::vector<Problem>& problems, Profile& profile)
      : name_(name), problems_(problems), profile_(profile) {
    const toml::node* node = name.empty() ? &whole : whole.get(name);
    if (node == nullptr) {
      problem({1, 1}, fmt::format("there is no section [{}]", name));
    } else if ((table_ = node->as_table()) == nullptr) {
      problem(node->source().begin, fmt::format("\"{}\" must be a section, [{}]", name, name));
    }
  }
  // Tells of keys that nothing asked for.
  void finish(std::initializer_list<std::string_view> others = {}) {
    if (table_ == nullptr) return;
    for (const auto& [key, node] : *table_) {
      const auto known_by = [&key = key](const auto& list) {
        return std::find(list.begin(), list.end(), key.str()) != list.end();
      };
      if (known_by(asked_) || known_by(others)) continue;
      problem(key.source().begin, fmt::format("unknown key \"{}\"{}; known here: {}", key.str(),
                                              name_.empty() ? "" : fmt::format(" in [{}]", name_), list(others)));
    }
  }

  std::string text(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return {};
    if (const auto value = node->value_exact<std::string>(); value && !value->empty()) return *value;
    problem(node->source().begin, fmt::format("\"{}\" must be a text in quotes", key));
    return {};
  }
  Nanoseconds time(std::string_view key) {
    return quantity<Nanoseconds>(key, "a time such as \"1500ns\" or \"4.5us\"", [](const toml::node& value) {
      const auto read = value.value_exact<std::string>();
      const auto parsed = read ? std::optional(parse_duration(*read)) : std::nullopt;
      return parsed && *parsed && **parsed <= kLongestTime ? std::optional(**parsed) : std::nullopt;
    });
  }
  std::uint64_t size(std::string_view key, std::uint64_t most = 1ull << 50) {
    return quantity<std::uint64_t>(key, fmt::format("a size such as \"64KiB\", at most {}", exact_bytes(most)),
                                   [most](const toml::node& value) { return size_in(value, most); });
  }
  std::int64_t count(std::string_view key, std::int64_t least, std::int64_t most) {
    return quantity<std::int64_t>(key, fmt::format("a whole number from {} to {}", least, most),
                                  [=](const toml::node& value) {
                                    const auto read = value.value_exact<std::int64_t>();
                                    return read && *read >= least && *read <= most ? read : std::nullopt;
                                  });
  }
  bool yes(std::string_view key) {
    return quantity<bool>(key, "true or false", [](const toml::node& value) { return value.value_exact<bool>(); });
  }
  double rate(std::string_view key, std::string_view unit) {
    const double read =
        quantity<double>(key, fmt::format("a rate such as \"100{}\"", unit), [unit](const toml::node& value) {
          const auto text = value.value_exact<std::string>();
          return text ? number_before(*text, unit) : std::nullopt;
        });
    return read > 0 ? read : 1;
  }
  std::uint32_t share(std::string_view key) {
    return quantity<std::uint32_t>(key, "a share from 0.05 to 1, such as 0.92",
                                   [](const toml::node& value) -> std::optional<std::uint32_t> {
                                     const auto read = value.value<double>();
                                     const double millionths = read ? std::round(*read * 1e6) : 0;
                                     if (!(millionths >= 50'000 && millionths <= 1e6)) return std::nullopt;
                                     return static_cast<std::uint32_t>(millionths);
                                   });
  }
  CopyQueue queue(std::string_view key) {
    return quantity<CopyQueue>(key, "\"eligible\" or \"issue\"",
                               [](const toml::node& value) -> std::optional<CopyQueue> {
                                 const auto read = value.value_exact<std::string>();
                                 if (read == "eligible") return CopyQueue::eligible;
                                 if (read == "issue") return CopyQueue::issue;
                                 return std::nullopt;
                               });
  }

  // An array of points: { size = "64KiB", time = "5us" } or { size = "64KiB", rate = "12.9GB/s" }, with its origin.
  TimeBySize times(std::string_view key) {
    TimeBySize table;
    const toml::node* node = find(key);
    if (node == nullptr) return table;
    const toml::array* points = node->as_array();
    if (points == nullptr || points->size() < 2) {
      problem(node->source().begin, fmt::format("\"{}\" must be a list of two or more points, such as "
                                                "{{ size = \"64KiB\", time = \"5us\", origin = \"measured\" }}",
                                                key));
      return table;
    }
    for (const toml::node& each : *points) {
      const auto point = read_point(key, each);
      if (!point) continue;
      if (!table.points.empty() &&
          (point->bytes <= table.points.back().bytes || point->time < table.points.back().time)) {
        problem(each.source().begin,
                fmt::format("\"{}\": sizes must rise from point to point and times must not fall", key));
        continue;
      }
      table.points.push_back(*point);
    }
    return table;
  }

 private:
  static std::optional<std::uint64_t> size_in(const toml::node& value, std::uint64_t most) {
    const auto read = value.value_exact<std::string>();
    if (!read) return std::nullopt;
    const auto parsed = parse_bytes(*read);
    return parsed && *parsed <= most ? std::optional(*parsed) : std::nullopt;
  }

  void problem(toml::source_position at, std::string message) { problems_.push_back({at, std::move(message)}); }

  std::string list(std::initializer_list<std::string_view> others) const {
    std::string all;
    for (const auto& key : asked_) all += (all.empty() ? "" : ", ") + std::string(key);
    for (const auto& key : others) all += (all.empty() ? "" : ", ") + std::string(key);
    return all;
  }

  const toml::node* find(std::string_view key) {
    asked_.push_back(key);
    if (table_ == nullptr) return nullptr;
    const toml::node* node = table_->get(key);
    if (node == nullptr) {
      problem(table_->source().begin,
              fmt::format("\"{}\" is missing{}", key, name_.empty() ? "" : fmt::format(" in [{}]", name_)));
    }
    return node;
  }

  void origin(std::string_view key, const toml::table& table) {
    ++profile_.numbers;
    const toml::node* node = table.get("origin");
    const auto said = node != nullptr ? node->value_exact<std::string>() : std::nullopt;
    if (said == "assumed") {
      ++profile_.assumed;
    } else if (said != "measured" && said != "datasheet") {
      problem(node != nullptr ? node->source().begin : table.source().begin,
              fmt::format("\"{}\" needs origin = \"measured\", \"datasheet\" or \"assumed\"", key));
    }
  }
  void only(std::string_view key, const toml::table& table, std::initializer_list<std::string_view> allowed) {
    for (const auto& [inner, node] : table) {
      if (std::find(allowed.begin(), allowed.end(), inner.str()) == allowed.end()) {
        problem(inner.source().begin, fmt::format("unknown key \"{}\" in \"{}\"", inner.str(), key));
      }
    }
  }

  template <class T, class Read>
  T quantity(std::string_view key, std::string_view wanted, Read read) {
    const toml::node* node = find(key);
    if (node == nullptr) return T{};
    const toml::table* table = node->as_table();
    const toml::node* value = table != nullptr ? table->get("value") : nullptr;
    if (value == nullptr) {
      problem(node->source().begin,
              fmt::format("\"{}\" must be {{ value = ..., origin = \"measured\" }} with {} as its value", key, wanted));
      return T{};
    }
    only(key, *table, {"value", "origin"});
    origin(key, *table);
    if (const auto good = read(*value)) return static_cast<T>(*good);
    problem(value->source().begin, fmt::format("\"{}\" must be {}", key, wanted));
    return T{};
  }

  std::optional<TimeBySize::Point> read_point(std::string_view key, const toml::node& node) {
    const toml::table* table = node.as_table();
    const toml::node* size = table != nullptr ? table->get("size") : nullptr;
    const toml::node* time = table != nullptr ? table->get("time") : nullptr;
    const toml::node* rate = table != nullptr ? table->get("rate") : nullptr;
    if (size == nullptr || (time == nullptr) == (rate == nullptr)) {
      problem(node.source().begin, fmt::format("a point of \"{}\" has a size, and either a time or a rate", key));
      return std::nullopt;
    }
    only(key, *table, {"size", "time", "rate", "origin"});
    origin(key, *table);
    const auto bytes = size_in(*size, 1ull << 50);
    if (!bytes) {
      problem(size->source().begin, fmt::format("\"{}\": a size is written such as \"64KiB\"", key));
      return std::nullopt;
    }
    if (time != nullptr) {
      const auto read = time->value_exact<std::string>();
      const auto parsed = read ? std::optional(parse_duration(*read)) : std::nullopt;
      if (parsed && *parsed && **parsed <= kLongestTime) return TimeBySize::Point{*bytes, **parsed};
      problem(time->source().begin, fmt::format("\"{}\": a time is written such as \"4.5us\"", key));
      return std::nullopt;
    }
    const auto read = rate->value_exact<std::string>();
    const auto gigabytes = read ? number_before(*read, "GB/s") : std::nullopt;
    if (!gigabytes) {
      problem(rate->source().begin, fmt::format("\"{}\": a rate is written such as \"55.5GB/s\"", key));
      return std::nullopt;
    }
    const double nanoseconds = static_cast<double>(*bytes) / *gigabytes;  // 1 GB/s is 1 byte a nanosecond
    return TimeBySize::Point{*bytes, std::min(kLongestTime, static_cast<Nanoseconds>(std::llround(std::min(
                                                                nanoseconds, static_cast<double>(kLongestTime)))))};
  }

  std::string name_;
  std::vector<Problem>& problems_;
  Profile& profile_;
  const toml::table* table_ = nullptr;
  std::vector<std::string_view> asked_;
};

void read_device(const toml::table& whole, std::vector<Problem>& problems, Profile& profile) {
  Section top(whole, "", problems, profile);
  profile.name = top.text("name");
  profile.compute_capability = top.text("compute_capability");
  profile.memory = top.size("memory");
  top.finish({"host", "streams", "copies", "compute"});
}

void read_host(const toml::table& whole, std::vector<Problem>& problems, Profile& profile) {
  Section host(whole, "host", problems, profile);
  profile.host.copy = host.time("copy");
  profile.host.memset = host.time("memset");
  profile.host.launch = host.time("launch");
  profile.host.record = host.time("record");
  profile.host.wait = host.time("wait");
  profile.host.host_function = host.time("host_function");
  profile.host.blocking_copy = host.time("blocking_copy");
  profile.host.synchronise = host.time("synchronise");
  profile.host.query = host.time("query");
  profile.host.wake = host.time("wake");
  profile.host.malloc = host.times("malloc");
  profile.host.free = host.time("free");
  profile.host.touch = host.times("touch");
  profile.host.touch_write_combined = host.times("touch_write_combined");
  profile.malloc_waits = host.yes("malloc_waits");
  profile.free_waits = host.yes("free_waits");
  host.finish();
}

void read_streams(const toml::table& whole, std::vector<Problem>& problems, Profile& profile) {
  Section streams(whole, "streams", problems, profile);
  profile.highest_priority = static_cast<int>(streams.count("highest_priority", -1000, 0));
  profile.streams.queue_depth = static_cast<std::uint32_t>(streams.count("queue_depth", 1, 1'000'000'000));
  profile.streams.record = streams.time("record");
  profile.streams.wait = streams.time("wait");
  profile.streams.kernel_handoff = streams.time("kernel_handoff");
  profile.streams.host_function = streams.time("host_function");
  streams.finish();
}

void read_copies(const toml::table& whole, std::vector<Problem>& problems, Profile& profile) {
  Section copies(whole, "copies", problems, profile);
  profile.copies.engines = static_cast<int>(copies.count("engines", 1, 64));
  profile.copies.queue = copies.queue("queue");
  profile.copies.h2d = copies.times("h2d");
  profile.copies.d2h = copies.times("d2h");
  profile.copies.h2d_pageable = copies.times("h2d_pageable");
  profile.copies.d2h_pageable = copies.times("d2h_pageable");
  profile.copies.staging = copies.size("staging");
  profile.copies.both_directions = copies.share("both_directions");
  profile.copies.on_device = copies.times("on_device");
  profile.copies.memset = copies.times("memset");
  copies.finish();
}

void read_compute(const toml::table& whole, std::vector<Problem>& problems, Profile& profile) {
  Section compute(whole, "compute", problems, profile);
  Profile::Compute& to = profile.compute;
  to.multiprocessors = static_cast<int>(compute.count("multiprocessors", 1, 10'000));
  to.threads = static_cast<std::uint32_t>(compute.count("threads", 32, 1 << 20));
  to.blocks = static_cast<std::uint32_t>(compute.count("blocks", 1, 1 << 10));
  to.shared_bytes = static_cast<std::uint32_t>(compute.size("shared_memory", 1u << 30));
  to.block_threads = static_cast<std::uint32_t>(compute.count("block_threads", 32, 1 << 20));
  to.block_shared = static_cast<std::uint32_t>(compute.size("block_shared_memory", 1u << 30));
  to.block_shared_reserved = static_cast<std::uint32_t>(compute.size("block_shared_memory_reserved", 1u << 20));
  to.block_overhead = compute.time("block_overhead");
  to.clock_mhz = static_cast<std::uint32_t>(std::max(1.0, compute.rate("clock", "MHz")));
  to.fma_a_clock = static_cast<std::uint32_t>(compute.count("fma_per_clock", 1, 1 << 20));
  to.fma_latency = static_cast<std::uint32_t>(compute.count("fma_latency", 0, 10'000));
  to.memory_latency = compute.time("memory_latency");
  to.memory_rate = static_cast<std::uint64_t>(std::llround(compute.rate("memory_rate", "GB/s") * 1e9));
  compute.finish();
  // A block within its limits must fit on an empty multiprocessor, or it would wait for ever.
  if (problems.empty() &&
      (to.block_threads > to.threads || to.block_shared + to.block_shared_reserved > to.shared_bytes)) {
    problems.push_back({whole.get("compute")->source().begin,
                        "a block of block_threads or block_shared_memory (and what is reserved) does not fit on a "
                        "multiprocessor of threads and shared_memory"});
  }
}

}  // namespace

Nanoseconds TimeBySize::at(std::uint64_t bytes) const {
  if (bytes <= points.front().bytes) return points.front().time;
  auto upper = std::find_if(points.begin(), points.end(), [bytes](const Point& point) { return point.bytes >= bytes; });
  if (upper == points.end()) --upper;
  const Point& a = *(upper - 1);
  const Point& b = *upper;
  using Wide = __int128;
  const Wide rise = static_cast<Wide>(b.time - a.time) * static_cast<Wide>(bytes - a.bytes);
  const Wide time = a.time + (rise + static_cast<Wide>(b.bytes - a.bytes) / 2) / static_cast<Wide>(b.bytes - a.bytes);
  return static_cast<Nanoseconds>(std::min<Wide>(time, kLongestTime));
}

Result<Profile> parse_profile(std::string_view toml, std::string_view file, std::string_view id) {
  Profile profile;
  profile.id = id;
  std::vector<Problem> problems;
  toml::table whole;
  try {
    whole = toml::parse(toml, file);
  } catch (const toml::parse_error& error) {
    return fail(ErrorKind::bad_input, fmt::format("{}:{}:{}: {}", file, error.source().begin.line,
                                                  error.source().begin.column, error.description()));
  }
  read_device(whole, problems, profile);
  read_host(whole, problems, profile);
  read_streams(whole, problems, profile);
  read_copies(whole, problems, profile);
  read_compute(whole, problems, profile);
  if (problems.empty()) return profile;
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  });
  std::string message;
  for (const Problem& problem : problems) {
    message += fmt::format("{}{}:{}:{}: {}.", message.empty() ? "" : "\n", file, std::max(1u, problem.at.line),
                           std::max(1u, problem.at.column), problem.message);
  }
  return fail(ErrorKind::bad_input, std::move(message));
}

Result<Profile> read_profile(const std::filesystem::path& file) {
  auto text = read_text(file, 1u << 20);
  if (!text) return fail(std::move(text.error()));
  return parse_profile(*text, file.string(), file.stem().string());
}

}  // namespace streamscope
