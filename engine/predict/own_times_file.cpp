#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>

#include "engine/base/files.h"
#include "engine/predict/own_times.h"

namespace streamscope::predict {
namespace {

constexpr std::uintmax_t kLargestFile = 1u << 20, kLargestSource = 4u << 20;

// "MARK KERNEL BLOCKS THREADS BYTES NANOSECONDS REGISTERS DEVICE" a line, the newest first.
std::string line_of(const OwnTime& one) {
  return fmt::format("{} {} {} {} {} {} {} {}\n", one.source, one.kernel, one.blocks, one.threads, one.shared_bytes,
                     one.time, one.registers, one.device);
}

std::optional<OwnTime> read_line(std::string_view line) {
  OwnTime one;
  const auto word = [&] {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view found = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return found;
  };
  const auto number = [&](auto& to) {
    const std::string_view text = word();
    const auto read = std::from_chars(text.data(), text.data() + text.size(), to);
    return read.ec == std::errc() && read.ptr == text.data() + text.size();
  };
  one.source = word();
  one.kernel = word();
  if (!number(one.blocks) || !number(one.threads) || !number(one.shared_bytes) || !number(one.time) ||
      !number(one.registers))
    return std::nullopt;
  one.device = line;
  if (one.source.empty() || one.kernel.empty() || one.device.empty() || one.time <= 0 || one.registers > 255)
    return std::nullopt;
  return one;
}

std::filesystem::path file() {
  const std::filesystem::path folder = settings_folder();
  return folder.empty() ? folder : folder / "own-kernels";
}

std::vector<OwnTime> all_remembered() {
  std::vector<OwnTime> all;
  const auto text = read_regular(file(), kLargestFile);
  if (!text) return all;
  for (std::string_view rest = *text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (auto one = read_line(rest.substr(0, end))) all.push_back(std::move(*one));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return all;
}

}  // namespace

std::vector<OwnTime> remembered_own_times(const std::filesystem::path& folder, std::span<const std::string> files) {
  std::vector<OwnTime> fitting, all = files.empty() ? std::vector<OwnTime>() : all_remembered();
  if (all.empty()) return fitting;
  for (const std::string& each : files) {
    const auto text = read_regular(folder / each, kLargestSource);
    if (!text) continue;
    const std::string mark = source_mark(*text);
    for (OwnTime one : all) {
      if (one.source != mark) continue;
      one.source.clear();
      fitting.push_back(std::move(one));
    }
  }
  return fitting;
}

void remember_own_times(std::span<const OwnTime> times) {
  const std::vector<OwnTime> before = all_remembered();
  const auto launch = [](const OwnTime& one) {
    return std::tie(one.source, one.kernel, one.blocks, one.threads, one.shared_bytes);
  };
  std::vector<OwnTime> all;
  for (const OwnTime& one : times)
    if (!one.source.empty()) all.push_back(one);
  for (const OwnTime& one : before)
    if (std::ranges::none_of(all, [&](const OwnTime& other) { return launch(one) == launch(other); }))
      all.push_back(one);
  if (all.size() > kMostOwnTimes) all.resize(kMostOwnTimes);
  if (all == before || file().empty()) return;
  std::string text;
  for (const OwnTime& one : all) text += line_of(one);
  std::error_code ignored;
  std::filesystem::create_directories(file().parent_path(), ignored);
  static_cast<void>(write_text(file(), text));
}

}  // namespace streamscope::predict
