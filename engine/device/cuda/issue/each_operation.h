// Visits all operations of one type, also those in the bodies of graphs.
#pragma once

#include "engine/program/program.h"

namespace streamscope::cuda {

template <class Op, class Each>
void each_of(const program::Program& program, const Each& each) {
  for (const program::Operation& operation : program.operations) {
    if (const auto* one = std::get_if<Op>(&operation.work)) each(operation, *one);
  }
  for (const program::Graph& graph : program.graphs) {
    for (const program::Operation& operation : graph.body) {
      if (const auto* one = std::get_if<Op>(&operation.work)) each(operation, *one);
    }
  }
}

}  // namespace streamscope::cuda
