// What a test has asked for, and what has been called.
#pragma once

#include <thread>

#include "tests/support/fake_cuda/fake_cuda.h"

namespace streamscope::fake_cuda {

class Script {
 public:
  // The nth call of a name since the rule was made; any name where it is empty, counted since the script was made.
  struct Rule {
    std::string name;
    std::size_t first = 0, last = 0, seen = 0;
    cudaError_t code = cudaSuccess;  // of a failure
    std::function<void()> hook;      // or what is to be done before the call
  };

  void add(Rule rule) { rules_.push_back(std::move(rule)); }
  void forget_orders() {
    rules_.clear();
    kernels_until_fault = copies_until_corrupt = 0;
  }
  // A call comes in: what is to be done before it, and what it returns if not its own result.
  struct Orders {
    std::optional<std::size_t> index;  // of its entry in the log
    std::vector<std::function<void()>> hooks;
    cudaError_t code = cudaSuccess;
  };
  Orders begin(std::string_view name, std::string detail);
  void end(const Orders& orders, cudaError_t result) {
    if (orders.index) log_[*orders.index].result = result;
  }

  const std::vector<Call>& log() const { return log_; }
  // Whether this thread's calls are counted and make time pass.
  bool counts() const { return threads_issue || owner_ == std::this_thread::get_id(); }
  bool threads_issue = false;
  std::string phase;
  std::size_t kernels_until_fault = 0, copies_until_corrupt = 0;  // 0: none
  cudaError_t fault_code = cudaSuccess, sticky = cudaSuccess;

 private:
  std::vector<Rule> rules_;
  std::vector<Call> log_;
  const std::thread::id owner_ = std::this_thread::get_id();
};

}  // namespace streamscope::fake_cuda
