#include "engine/calibration/probes.h"

#include "engine/base/quantity.h"
#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {

void ProbeList::add(For use, std::string group, const Probe::Numbers& n, std::string text) {
  std::string name = group;
  const auto say = [&](std::string_view key, const std::string& value) {
    name += fmt::format("{}{}={}", name.size() == group.size() ? ", " : " ", key, value);
  };
  if (n.count != 0) say("n", fmt::format("{}", n.count));
  if (n.bytes != 0) say("bytes", exact_bytes(n.bytes));
  if (n.streams != 0) say("streams", fmt::format("{}", n.streams));
  if (n.fma != 0) say("fma", fmt::format("{}", n.fma));
  if (n.blocks != 0) say("blocks", fmt::format("{}", n.blocks));
  if (n.threads != 0) say("threads", fmt::format("{}", n.threads));
  if (n.shared_bytes != 0) say("smem", exact_bytes(n.shared_bytes));
  if (n.duration != 0) say("for", exact_duration(n.duration));
  if (n.behind != 0) say("behind", exact_duration(n.behind));
  if (n.every != 0) say("every", exact_duration(n.every));
  all_.push_back({std::move(group), n, use == For::thorough, std::move(name), std::move(text)});
}

std::string spin_ahead(Nanoseconds behind) {
  return behind == 0 ? std::string() : fmt::format("A: spin {}\n", exact_duration(behind));
}

std::string repeated(std::uint64_t count, const std::string& lines) {
  return fmt::format("repeat {} as i {{\n{}}}\n", count, lines);
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
