#include "tests/support/fake_cuda/script.h"

#include <algorithm>

#include "tests/support/fake_cuda/machine.h"

namespace streamscope::fake_cuda {

Script::Orders Script::begin(std::string_view name, std::string detail) {
  Orders orders;
  const bool counted = counts();
  if (counted) {
    orders.index = log_.size();
    log_.push_back({std::string(name), std::move(detail), phase, cudaSuccess});
  }
  for (Rule& rule : rules_) {
    if (rule.name.empty() ? !counted : rule.name != name) continue;
    const std::size_t which = rule.name.empty() ? log_.size() : ++rule.seen;
    if (which < rule.first || which > rule.last) continue;
    if (rule.hook) orders.hooks.push_back(rule.hook);
    if (rule.code != cudaSuccess) orders.code = rule.code;
  }
  return orders;
}

// --- fake_cuda.h

namespace {

template <class Change>
void change_script(const Change& change) {
  Machine& machine = the_machine();
  const std::lock_guard lock(machine.mutex);
  change(machine.script);
}

}  // namespace

std::size_t calls() {
  Machine& machine = the_machine();
  const std::lock_guard lock(machine.mutex);
  return machine.script.log().size();
}

Call call(std::size_t nth) {
  Machine& machine = the_machine();
  const std::lock_guard lock(machine.mutex);
  return machine.script.log().at(nth - 1);
}

void phase(std::string_view name) {
  change_script([&](Script& script) { script.phase = name; });
}

std::optional<Call> first_failure() {
  Machine& machine = the_machine();
  const std::lock_guard lock(machine.mutex);
  for (const Call& call : machine.script.log()) {
    if (call.result != cudaSuccess && call.result != cudaErrorNotReady) return call;
  }
  return std::nullopt;
}

void fail_call(std::size_t nth, cudaError_t code) {
  change_script([&](Script& script) { script.add({"", nth, nth, 0, code, nullptr}); });
}

void fail_call(std::string_view name, std::size_t nth, cudaError_t code, std::size_t times) {
  change_script([&](Script& script) { script.add({std::string(name), nth, nth + times - 1, 0, code, nullptr}); });
}

void at_call(std::size_t nth, std::function<void()> what) {
  change_script([&](Script& script) { script.add({"", nth, nth, 0, cudaSuccess, std::move(what)}); });
}

void at_call(std::string_view name, std::size_t nth, std::function<void()> what) {
  change_script([&](Script& script) { script.add({std::string(name), nth, nth, 0, cudaSuccess, std::move(what)}); });
}

void fault_in_kernel(std::size_t nth, cudaError_t code) {
  change_script([&](Script& script) {
    script.kernels_until_fault = nth;
    script.fault_code = code;
  });
}

void forget_orders() {
  change_script([](Script& script) { script.forget_orders(); });
}

void threads_issue(bool they_do) {
  change_script([&](Script& script) { script.threads_issue = they_do; });
}

void corrupt_copy(std::size_t nth) {
  change_script([&](Script& script) { script.copies_until_corrupt = nth; });
}

}  // namespace streamscope::fake_cuda
