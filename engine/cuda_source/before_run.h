// What is made before the run is timed, given the same data before each run, and freed at the end: memory, streams,
// events. Graphs are made by their captures and freed here.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/cuda_source/functions.h"
#include "engine/cuda_source/names.h"
#include "engine/cuda_source/statements.h"
#include "engine/program/program.h"

namespace streamscope::cuda_source {

// It refers to what it is made of.
class BeforeRun {
 public:
  BeforeRun(const program::Program& program, const Names& names, const Statements& statements)
      : program_(program), names_(names), statements_(statements) {}

  bool has_data() const;  // there are buffers, which are filled and whose sums are printed
  // Lines of the file.
  Lines variables();
  Lines made();    // of set_up()
  Lines filled();  // functions
  Lines freed();   // of clean_up()
  Lines sums();    // of main()

 private:
  const program::Buffer& buffer(std::uint32_t id) const { return program_.buffers[id]; }
  void add(std::string_view text) { out_.add(text); }
  std::string bytes_of(const Named& named) const;
  bool made_in_run(const Named& named) const;
  void variable(const Named& one);
  std::set<DeviceId> more_sides(const Named& one) const;
  std::vector<std::string> on(DeviceId device, std::vector<std::string> made) const;
  std::uint32_t line_of(const Named& one) const;
  template <class Alike, class Make>
  void for_each(const Named& named, const Alike& alike, const Make& make);
  void make(const Named& one);
  std::vector<std::string> allocation(const Place& at, const program::Buffer& one) const;
  std::vector<std::string> first_side(const Place& at, const program::Buffer& one) const;
  template <class Each>
  void each_buffer(const Each& each);

  const program::Program& program_;
  const Names& names_;
  const Statements& statements_;
  const std::size_t devices_ = program::device_count(program_);
  Lines out_;
};

}  // namespace streamscope::cuda_source
