// Writes one program of its seed. write_program.cpp has what encloses operations (declarations, repeats, scopes of what
// the run makes, threads, graphs, other devices), operations.cpp each single operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/generated/memory.h"
#include "tests/generated/random.h"
#include "tests/generated/write_program.h"

namespace streamscope::generated {

class ProgramWriter {
 public:
  ProgramWriter(std::uint64_t seed, const Wishes& wishes);

  std::string write();  // once

 private:
  struct Graph {
    std::string name;
    int thread;     // that may launch it: two threads may not, unless something orders them
    bool is_there;  // else the run captures it first
    int device;
  };

  void line(std::string_view words);
  void host(const std::string& words);
  void open(const std::string& words);
  void close();

  void declarations();
  void buffer(const std::string& name, program::HostMemory host, std::uint64_t bytes);
  void declare_devices();
  void graph();
  bool capture();

  // One line, or a block of them. These say how many lines they wrote, those of a repeat once for each pass.
  int statement();
  int some_statements();
  int row();
  int on_other_devices();
  int repeat();
  int scope();
  int thread(int number);

  // Of what is there at this line, one that the operation may name.
  std::string stream();
  std::string some_stream();
  std::string stream_of(int device);
  std::string event();
  std::string event_of(int device);
  std::string asked();
  const Memory* memory(const std::function<bool(const Memory&)>& fits_in);  // on the device; null: none
  std::string part(const Memory& of, std::uint64_t bytes);
  std::string any_part(const Memory& of);
  int device_of(const std::string& name) const;
  bool may_be_captured(const Memory& one) const;

  // Operations of a stream of the device at hand, without the stream.
  std::string given();
  std::string work();
  std::string copy(bool plain);
  std::string copy_on_device(bool plain);
  std::string memset();
  std::string kernel();
  std::string prefetch();
  std::string peer();
  // Operations of the host.
  std::string done_by_host();
  std::string poll();

  Random random_;
  const Wishes wishes_;
  std::string text_;
  std::size_t depth_ = 0;
  int scopes_ = 0, made_ = 0;
  std::vector<Memory> memories_;  // the managed one is [4], in a program of all words
  std::vector<std::string> streams_, events_;
  std::vector<Graph> graphs_;
  std::vector<Loop> loops_;
  std::int64_t numbered_ = 1;  // streams S0, S1, ...
  bool registered_ = false;    // the buffer p
  int threads_ = 0, thread_ = 0;
  int current_ = 0, device_ = 0;          // of the host thread; of what is written
  std::map<std::string, int> device_of_;  // streams and events of others than the first
  std::map<std::pair<int, int>, bool> reached_;
  bool capturing_ = false;
};

}  // namespace streamscope::generated
