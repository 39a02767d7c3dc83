// Numbers of a stream program as C++.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/program/syntax/tree.h"

namespace streamscope::cuda_source {

// The variable of a repeat that stays a loop: what C++ calls it. Of one that is written out: its value.
struct Variable {
  std::string_view name;
  std::string cpp;
  std::optional<std::int64_t> value;
  std::int64_t most = 0;  // its largest value
};

class Variables {
 public:
  void push(Variable variable) { all_.push_back(std::move(variable)); }
  void pop() { all_.pop_back(); }
  Variable& top() { return all_.back(); }
  const Variable* find(std::string_view name) const;
  bool in_loop() const;  // around a statement stays one
  // Nothing where one of them is a loop's.
  std::optional<std::int64_t> value(const program::syntax::Expression& expression) const;
  std::optional<std::int64_t> value(const program::syntax::Number& number) const;
  std::optional<std::string> text(const program::syntax::Name& name) const;

 private:
  std::vector<Variable> all_;
};

// "i * 4 + 1"; a sum in brackets where it is the first factor of a product.
std::string cpp(const program::syntax::Expression& expression, const Variables& variables, bool factor = false);
// "16 * MiB" of bytes, a whole number of anything else.
std::string cpp_bytes(std::uint64_t bytes);
std::string cpp_bytes(const program::syntax::Number& number, const Variables& variables);
std::string cpp(const program::syntax::Number& number, const Variables& variables);
// No part of it can come to more than this, whatever the variables are.
double magnitude(const program::syntax::Expression& expression, const Variables& variables);

}  // namespace streamscope::cuda_source
