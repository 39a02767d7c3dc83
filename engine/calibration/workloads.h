// Stream programs from a seed, of every sort that people run: what a model of a GPU is judged on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/calibration/recorded.h"

namespace streamscope::calibration {

// plain: copies, kernels, events, the host's waits. all: host threads, graphs, shared memory and allocation in streams
// as well.
enum class Families : std::uint8_t { plain, all };

// The first `count` of a seed's endless list, the families in turn. The same on every platform, and a longer list
// begins with the shorter one. Bare runs on a large GPU take mostly 20 us to 30 ms each; the buffers of one program
// come to 1 GiB at most. Without times; a name is "pipeline 3": its family and which of the family it is.
std::vector<RecordedProgram> workloads(std::uint64_t seed, std::size_t count, Families families = Families::plain);

}  // namespace streamscope::calibration
