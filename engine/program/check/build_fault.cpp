// Kernels that fail, and what becomes of the device then: `fault`, `lasterror`, `reset`.
#include <fmt/format.h>

#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"

namespace streamscope::program {

OperationBuilder::Built OperationBuilder::fault() {
  // The parser lets no other word through.
  const auto& word = std::get<syntax::Word>(statement_.arguments[0]);
  return op::Fault{by_name<FaultKind>(word.text).value_or(FaultKind::illegal_address)};
}

OperationBuilder::Built OperationBuilder::last_error() {
  return op::LastError{find_option(statement_, "peek") != nullptr};
}

OperationBuilder::Built OperationBuilder::reset() {
  if (expansion_.program.threads.size() > 1) {
    expansion_.diagnostics.error(statement_.location,
                                 tr("`reset` takes the device from all host threads, and another one may be using it; "
                                    "write it in a program of one thread, or before the first `thread`"));
    return std::nullopt;
  }
  expansion_.symbols.end_all(statement_.location.line);
  expansion_.reset_line = statement_.location.line;
  return op::Reset{};
}

}  // namespace streamscope::program
