// What is known of a kernel of tiles, and of one bar of its inside, as rows of a label and a value with its unit.
#pragma once

#include "app/reading/operation_facts.h"
#include "app/timeline/kernel_inside.h"

namespace streamscope::reading {

// Rates, occupancy, registers, shared memory, waiting: what is known of them. None of another operation.
std::vector<Fact> kernel_rows(const trace::Trace& trace, const trace::Span& span);

// The same of any launch, where its kernel has no facts of its own.
std::vector<Fact> launch_rows(const trace::LaunchShape& shape);

std::string piece_title(const trace::Trace& trace,
                        const timeline::StagePiece& piece);  // "tile 5: the block works on it"
std::vector<Fact> piece_rows(const trace::Trace& trace, const timeline::StagePiece& piece);

}  // namespace streamscope::reading
