#include "engine/calibration/probes.h"

#include <algorithm>
#include <bit>

#include "engine/base/quantity.h"
#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    all.push_back(part.substr(std::min(part.find_first_not_of(' '), part.size())));
  }
  return all;
}

// "n=1,64 bytes=4KiB" of these values.
bool meet(const Values& values, std::string_view condition) {
  const std::vector<std::string_view> all = parts_of(condition, ' ');
  return std::all_of(all.begin(), all.end(), [&](std::string_view one) {
    const std::vector<std::string_view> which = parts_of(one.substr(one.find('=') + 1), ',');
    const auto value = values.find(one.substr(0, one.find('=')));
    return value != values.end() && std::find(which.begin(), which.end(), value->second) != which.end();
  });
}

std::string filled(std::string_view text, const Values& values) {
  std::string out;
  for (std::size_t dollar = text.find('$'); dollar != std::string_view::npos; dollar = text.find('$')) {
    out += text.substr(0, dollar);
    text.remove_prefix(dollar + 1);
    const std::string_view key = text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
    text.remove_prefix(key.size());
    const auto found = values.find(key);
    const std::string value = found == values.end() ? std::string() : found->second;
    const std::string option = fmt::format(" {}=", key);
    if (out.ends_with(option) && (value.empty() || value == "0" || value == "pinned")) {
      out.resize(out.size() - option.size());
    } else {
      out += value;
    }
  }
  return out.append(text);
}

// Each statement, and each end of a block, in a line of its own.
std::string in_lines(std::string_view text) {
  std::string out;
  const auto end_line = [&] {
    if (!out.empty() && out.back() != '\n') out += '\n';
  };
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text.starts_with("; ") || text.starts_with(" }")) {
      end_line();
      text.remove_prefix(text.front() == ';' ? 1 : 0);
    } else if (text.starts_with("{ ")) {
      out += "{\n";
      text.remove_prefix(1);
    } else {
      out += text.front();
    }
  }
  end_line();
  return out;
}

// A size or a number; else a duration. 0 of anything else.
std::uint64_t number_of(std::string_view text) {
  if (const auto bytes = parse_bytes(text)) return *bytes;
  return static_cast<std::uint64_t>(parse_duration(text).value_or(0));
}

std::string buffer_for(std::uint64_t bytes) {
  return exact_bytes(std::bit_ceil(std::max<std::uint64_t>(bytes, 1 << 20)));
}

}  // namespace

void ProbeList::expand(Values values, bool quick, std::span<const std::string_view> axes,
                       std::span<const ProbeTemplate> templates) {
  if (axes.empty()) {
    for (const ProbeTemplate& each : templates) add_one(each, values, quick);
    return;
  }
  const std::string_view axis = axes.front();
  const std::vector<std::string_view> keys = parts_of(axis.substr(0, axis.find('=')), ' ');
  const bool marks = axis.find('!') != std::string_view::npos;
  for (std::string_view row : parts_of(axis.substr(axis.find('=') + 1), ',')) {
    const bool marked = row.ends_with('!');
    if (marked) row.remove_suffix(1);
    const auto of_row = keys.size() == 1 ? std::vector{row} : parts_of(row, ' ');
    for (std::size_t i = 0; i < keys.size(); ++i) {
      values[std::string(keys[i])] = i < of_row.size() ? of_row[i] : std::string_view("0");
    }
    expand(values, quick && (marked || !marks), axes.subspan(1), templates);
  }
}

void ProbeList::add_one(const ProbeTemplate& from, Values values, bool quick) {
  if (!meet(values, from.where)) return;
  for (const std::string_view one : parts_of(from.fixed, ' ')) {
    values[std::string(one.substr(0, one.find('=')))] = filled(one.substr(one.find('=') + 1), values);
  }
  Probe probe;
  probe.group = probe.name = filled(from.group, values);
  probe.thorough = !quick || from.quick == "none" || !meet(values, from.quick);
  for (const std::string_view key :
       {"n", "bytes", "streams", "fma", "blocks", "threads", "smem", "for", "behind", "every"}) {
    const std::uint64_t number = number_of(values[std::string(key)]);
    if (number == 0) continue;
    const bool size = key == "bytes" || key == "smem", duration = key == "for" || key == "behind" || key == "every";
    probe.name += fmt::format("{}{}={}", probe.numbers.empty() ? ", " : " ", key,
                              size       ? exact_bytes(number)
                              : duration ? exact_duration(static_cast<Nanoseconds>(number))
                                         : fmt::format("{}", number));
    probe.numbers.emplace(key, number);
  }
  const std::uint64_t bytes = probe.number("bytes"), n = probe.number("n");
  const Nanoseconds behind = static_cast<Nanoseconds>(probe.number("behind"));
  values["kib"] = fmt::format("{}", bytes / 1024);
  values["buffer"] = buffer_for(bytes);
  values["all"] = buffer_for(bytes * (n != 0 ? n : probe.number("streams")));
  values["ahead"] = behind == 0 ? "" : fmt::format("A: spin {}", exact_duration(behind));
  probe.text = in_lines(filled(from.text, values));
  all_.push_back(std::move(probe));
}

std::uint64_t Probe::number(std::string_view key) const {
  const auto found = numbers.find(key);
  return found == numbers.end() ? 0 : found->second;
}

std::vector<Probe> link_probes() {
  ProbeList list;
  add_link_probes(list);
  return list.take();
}

std::vector<Probe> probes() {
  ProbeList list;
  add_host_probes(list);
  add_copy_probes(list);
  add_kernel_probes(list);
  add_order_probes(list);
  add_structure_probes(list);
  return list.take();
}

}  // namespace streamscope::calibration
