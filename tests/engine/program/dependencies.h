// What an operation directly depends on, as a list that a test can name.
#pragma once

#include <ostream>
#include <span>
#include <vector>

#include "engine/program/order/order.h"

namespace streamscope::program {

inline void PrintTo(const Dependency& one, std::ostream* out) {
  static constexpr const char* kKinds[] = {"stream", "legacy", "event", "host", "graph"};
  *out << kKinds[static_cast<int>(one.kind)] << " " << one.on;
}

inline std::vector<Dependency> of(const Program& program, OperationIndex index,
                                  std::span<const OperationIndex> issued = {}) {
  const Dependencies dependencies(program, issued);
  const auto edges = dependencies.of(index);
  return {edges.begin(), edges.end()};
}

}  // namespace streamscope::program
