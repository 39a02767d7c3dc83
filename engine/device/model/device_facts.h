// What a trace says of a modelled device and of what is launched on it.
#pragma once

#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"
#include "engine/trace/device_facts.h"
#include "engine/trace/stages.h"

namespace streamscope::model {

trace::DeviceFacts device_facts(const Profile& profile);

// Of launches of kernels with tiles.
std::vector<trace::KernelFacts> kernel_facts(const Profile& profile, const program::Program& program);

// `names`: the trace's.
std::vector<trace::LaunchShape> launch_shapes(const Profile& profile, const program::Program& program,
                                              const std::vector<std::string>& names);

}  // namespace streamscope::model
