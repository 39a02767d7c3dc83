#include <fmt/format.h>

#include "engine/base/translate.h"
#include "engine/experiment/check.h"
#include "engine/experiment/keys.h"

namespace streamscope::experiment {
namespace {

// Of the kernel's own options, and of those that only other kernels have.
void unused_of_kernel(const kernels::Choice& chosen, std::vector<UnusedKey>& unused) {
  kernels::Values settled = chosen.values;
  if (chosen.kernel != nullptr) chosen.kernel->settle(settled);
  for (const std::string& key : keys::of_options()) {
    if (chosen.kernel == nullptr) {
      unused.push_back({key, "kernel.name",
                        tr("there is no kernel, as kernel.name is none; write {} there", keys::kernels_with(key))});
      continue;
    }
    const std::size_t option = keys::option_behind(*chosen.kernel, key);
    if (option >= chosen.kernel->options.size()) {
      unused.push_back({key, "kernel.name",
                        tr("the kernel {} has no such option; set kernel.name to {}", chosen.kernel->word,
                           keys::kernels_with(key))});
    } else if (std::string why = chosen.kernel->no_effect(settled, option); !why.empty()) {
      unused.push_back({key, "kernel.", std::move(why)});
    } else if (settled[option] != chosen.values[option]) {
      unused.push_back({key, "kernel.", tr("beside the others it is {}", settled[option])});
    }
  }
}

void unused_of_devices(const Experiment& experiment, std::vector<UnusedKey>& unused) {
  if (experiment.devices <= 1) {
    for (const std::string_view key : {"across", "peer_access", "steps"}) {
      unused.push_back({key, "devices", tr("there is one device; write 2 or more for devices")});
    }
    return;
  }
  const std::string_view across = name_of(experiment.across);
  if (experiment.across == Across::split) {
    unused.push_back(
        {"peer_access", "across",
         tr("nothing goes from device to device, as across is {}; write pipeline, halo or all-gather there", across)});
  }
  if (!in_parts(experiment)) {
    unused.push_back(
        {"steps", "across", tr("each chunk is done once, as across is {}; write halo or all-gather there", across)});
    return;
  }
  for (const std::string_view key : {"streams", "order"}) {
    unused.push_back(
        {key, "across", tr("each device has one stream, as across is {}; write split or pipeline there", across)});
  }
}

}  // namespace

std::vector<UnusedKey> unused_keys(const Experiment& experiment) {
  std::vector<UnusedKey> unused;
  unused_of_kernel(experiment.kernel, unused);
  unused_of_devices(experiment, unused);
  if (experiment.host == program::HostMemory::mapped) {
    for (const std::string_view key : {"h2d", "d2h"}) {
      unused.push_back(
          {key, "host", tr("nothing is copied, as the kernel works in the host's mapped memory; write pinned there")});
    }
  }
  if (experiment.mode == Mode::sync) {
    for (const std::string_view key : {"streams", "stream_flags"}) {
      unused.push_back({key, "mode", tr("all is in the default stream, as mode is sync; write async there")});
    }
  } else if (experiment.stream_flags == StreamFlags::legacy_default ||
             experiment.stream_flags == StreamFlags::per_thread) {
    unused.push_back({"streams", "stream_flags",
                      tr("all is in one stream, as stream_flags is {}; write blocking or nonblocking there",
                         name_of(experiment.stream_flags))});
  }
  return unused;
}

}  // namespace streamscope::experiment
