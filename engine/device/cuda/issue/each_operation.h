// All operations of one sort, those in the bodies of graphs too.
#pragma once

#include "engine/program/program.h"

namespace streamscope {

template <class Op, class Each>
void each_of(const Program& program, const Each& each) {
  for (const Operation& operation : program.operations) {
    if (const auto* one = std::get_if<Op>(&operation.work)) each(operation, *one);
  }
  for (const Graph& graph : program.graphs) {
    for (const Operation& operation : graph.body) {
      if (const auto* one = std::get_if<Op>(&operation.work)) each(operation, *one);
    }
  }
}

}  // namespace streamscope
