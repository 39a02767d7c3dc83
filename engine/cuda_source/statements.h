// The statements of a program as calls of CUDA's, and the functions that these call.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/cuda_source/functions.h"
#include "engine/cuda_source/names.h"
#include "engine/cuda_source/survey.h"
#include "kernels/kernel.h"
#include "kernels/textbook.h"

namespace streamscope::cuda_source {

struct LaunchedKernel {
  std::string function;
  std::string definition;
  std::uint64_t shared_bytes = 0;  // dynamic ones; the most of all launches
  bool alone = false;              // no other block is to fit on its multiprocessor
};

class Statements {
 public:
  Statements(const program::Syntax& syntax, const program::Program& program, Names& names);

  // What is timed, and before it the graphs. Each once, in this order.
  Result<Lines> run();
  Result<Lines> captures();
  // From here on what they need:
  std::vector<std::string> functions() const;  // in the order of their use
  const std::vector<LaunchedKernel>& kernels() const { return kernels_; }
  std::set<std::string_view> headers() const { return headers_; }
  int architecture() const { return architecture_; }  // as CudaCode's
  bool has_alone() const;
  bool calls(std::string_view function) const { return functions_.contains(function); }
  // Of a function that keeps what the last call said, whether main() prints that at the end.
  bool is_printed(std::string_view function) const;
  const std::string& code() const { return code_; }  // all that was written, without comments
  // Graphs record it as well as others do, for which CUDA has no meaning.
  bool has_captured(const Named& event) const { return survey_.captured_too.contains(&event); }
  std::uint32_t first_line(const Named& one) const;  // of the program that names it; 0: none
  // Of the program, "// text" each: before its first statement, and above a declaration.
  const std::vector<std::string>& header() const { return survey_.header; }
  std::vector<std::string> comments_above(std::uint32_t line) const;

 private:
  enum class Part : std::uint8_t { run, captures };
  using Statement = program::syntax::Statement;
  using Body = std::vector<program::syntax::Line>;

  bool belongs(const Statement& statement) const;
  bool is_captured_before(const Statement& graph) const;
  Result<Lines> part(Part part);
  void write(const Body& body, bool outermost);
  void write(const Statement& statement, const std::string& comment);
  void repeat(const Statement& statement, const std::string& comment);
  void graph(const Statement& statement, const std::string& comment);
  void capture(const Statement& statement, const std::string& comment);
  // The calls from cudaStreamBeginCapture to cudaGraphInstantiate; `by`: the statement that they are of.
  void capture_calls(const Statement& graph, const std::string& made, const Statement& by);
  void thread(const Statement& statement, const std::string& comment);
  void call(const Statement& statement, const std::string& comment);
  void launch_kernel(const Statement& statement, const std::string& comment);
  void launch_own(const Statement& statement, const std::string& comment);
  void add(const std::string& text, const Statement& statement, const std::string& comment = {});
  void check(const std::string& call, const Statement& statement, const std::string& comment);

  std::string place(const program::syntax::Name& name, std::initializer_list<Entity> among,
                    std::string_view suffix = "") const;
  std::string event(const program::syntax::Name& name) const;
  std::string stream(const program::syntax::Name& name) const;
  struct RangeText {
    std::string host, device, bytes;
  };
  RangeText range(const program::syntax::Range& range) const { return this->range(range, device_); }
  // `device`: whose side.
  RangeText range(const program::syntax::Range& range, DeviceId device) const;
  DeviceId device_of(const program::syntax::Name& stream) const;
  DeviceId device_at(const program::syntax::Range& range) const;
  Place made(const Statement& statement);
  std::string asked(const program::syntax::Name& name, std::string_view what) const;
  std::string number(const Statement& statement, std::size_t argument) const;
  std::string rows_copied(const Statement& statement, const std::string& to, const std::string& from,
                          std::string_view other, bool other_first, std::string_view kind) const;
  // The word behind a key; empty where there is none.
  const program::syntax::Option* option(const Statement& statement, std::string_view key) const;
  std::set<ThreadId> askers(std::string_view function) const;
  void needs(std::string_view function) { functions_.insert(function); }
  void needs_answer() { needs(fails_ ? kAnswerOnly : kAnswer); }
  std::size_t function_of(const kernels::Choice& choice);

  const program::Syntax& syntax_;
  const program::Program& program_;
  Names& names_;
  Survey survey_;
  Variables variables_;

  const bool fails_ = program::fails_on_purpose(program_);
  Part part_ = Part::run;
  bool in_graph_ = false, too_many_ = false;
  std::size_t depth_ = 1;
  DeviceId current_, device_;  // of the host thread; of the statement
  Lines out_;

  std::string code_;
  std::set<std::string_view> functions_, headers_;
  std::vector<std::string> helpers_;
  std::vector<LaunchedKernel> kernels_;
  std::map<std::string, std::size_t> kernel_of_code_;
  int architecture_ = 0;
};

}  // namespace streamscope::cuda_source
