// From one statement to one operation. A comment names the source that defines the functions below it.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "engine/base/translate.h"
#include "engine/program/check/expansion.h"

namespace streamscope::program {

// The operation of a statement that declares nothing but an event or an allocation and opens no block; nothing after an
// error. A wait is bound to the record issued last before it.
std::optional<Operation> build_operation(Expansion& expansion, const syntax::Statement& statement);

class OperationBuilder {
 public:
  OperationBuilder(Expansion& expansion, const syntax::Statement& statement)
      : expansion_(expansion), statement_(statement) {}

  // Nothing after an error.
  std::optional<Operation> build();

 private:
  using Built = std::optional<Work>;
  enum class Side { device, both, host };  // both: a copy between the two

  Built work();

  const syntax::Name& name(std::size_t i) const { return std::get<syntax::Name>(statement_.arguments[i]); }
  const syntax::Number& number(std::size_t i) const { return std::get<syntax::Number>(statement_.arguments[i]); }
  const syntax::Range& range_text(std::size_t i) const { return std::get<syntax::Range>(statement_.arguments[i]); }

  // Reports an error; no operation comes of the statement.
  template <class Where>
  std::nullopt_t refuse(const Where& where, std::string message) {
    expansion_.scope.error(where, std::move(message));
    return std::nullopt;
  }
  template <class Where>
  bool deny(const Where& where, std::string message) {
    refuse(where, std::move(message));
    return false;
  }

  // The symbol of that name, if it is of one of the kinds; reports an error otherwise.
  Symbol* use(const syntax::Name& name, SymbolKinds expected);
  void mismatch(const syntax::Name& name, std::string_view text, const Symbol& symbol, SymbolKinds expected);

  // build_transfer.cpp: ranges, and what moves or fills them
  std::optional<Range> range(const syntax::Range& text, Side side) { return range(text, side, device_); }
  std::optional<Range> range(const syntax::Range& text, Side side, std::optional<DeviceId> device);
  bool inside(const syntax::Range& text, std::int64_t offset, std::int64_t length, const Buffer& buffer);
  Built copy(Direction direction, bool blocking, std::size_t first);
  Built blocking_copy();
  Built copy_on_device();
  // Of a copy in two dimensions; `other` is the key of the second pitch. count 0: it is none. Nothing after an error.
  struct Rows {
    std::uint64_t count = 0, width = 0;
    std::uint32_t pitch = 0, other_pitch = 0;
  };
  std::optional<Rows> rows(std::string_view other);
  // The part of the range that the rows take up; reports a range that is too short.
  std::optional<Range> with_rows(const syntax::Range& text, const Range& range, const Rows& rows, std::uint32_t pitch);
  // Whether two ranges have no byte in common; else that is reported at `where`.
  bool apart(const syntax::Name& where, const Range& to, const Range& from, std::string_view why);
  Built memset();
  Built touch();
  Built prefetch();

  // build_kernel.cpp
  Built kernel();
  // Of the option as it is written; nothing after an error.
  std::optional<std::int64_t> value_of(const kernels::Option& option, const syntax::Argument& text);
  bool wrong_option(std::string_view key, const std::string& message);  // reports, and returns false
  std::optional<kernels::Values> options(const kernels::Kernel& kernel);
  Built own();
  std::optional<LaunchArgument> given(std::size_t argument, const kernels::Parameter& parameter);
  bool fits(const kernels::Granularity& unit, const syntax::Range& text, const Range& range);

  std::optional<Nanoseconds> lasts(const syntax::Number& number);
  template <class T>
  Built lasting() {
    const auto duration = lasts(number(0));
    if (!duration) return std::nullopt;
    return T{*duration};
  }
  Built callback() {
    const auto duration = lasts(number(0));
    if (!duration) return std::nullopt;
    return op::HostFunction{*duration, true};
  }

  // build_wait.cpp: events, and what waits for them or for streams
  struct Target {
    Symbol symbol;
    OperationIndex record = kNoOperation;
  };
  std::optional<Target> target(SymbolKinds expected, std::size_t argument = 0);
  Built record();
  Built wait();
  Built sync();
  Built poll();
  Built query();
  Built attributes();
  Built elapsed();
  Built external_wait();

  std::nullopt_t refuse_both_external(EventId event);
  bool in_graph();  // reports `external` outside of one
  OperationIndex captured_record(EventId event, const std::string& text);

  // build_allocation.cpp: `malloc` and `free`, by the host or in a stream
  Built malloc(bool stream_ordered);
  Built free(bool stream_ordered);
  // Declares the buffer that the statement allocates; nothing after an error.
  std::optional<BufferId> allocated(bool stream_ordered, bool on_host);
  // What the statement frees, which one of the same kind has allocated; null after an error.
  Symbol* freed(bool on_host);
  // Whether the buffer's `malloc` comes before this statement, whatever the threads do; records the use.
  bool usable(const syntax::Name& where, std::uint32_t buffer);

  // build_host_memory.cpp: pinned memory of the host
  Built malloc_host();
  Built free_host();
  Built pin();
  Built unpin();
  Symbol* pageable();  // the buffer of the statement, if its host memory may be registered; null after an error
  // Whether the copy's pageable memory is registered; nothing after an error: another thread may just change that.
  std::optional<bool> registered(const syntax::Name& where, const Symbol& symbol);
  bool used_by_others(const syntax::Name& where, const Symbol& symbol, std::string_view what);

  // build_fault.cpp
  Built fault();
  Built last_error();
  Built reset();

  // build_lifetime.cpp: streams and events made in the run
  Built create_stream();
  Built create_event();
  Built destroy();
  // Declares what the statement makes; null after an error.
  Symbol* made();
  // Whether the stream or event, if the run makes it, is there; reports it otherwise.
  bool alive(const syntax::Name& where, const Symbol& symbol);

  // build_device.cpp: several devices
  Built peer_copy();
  Built set_device();
  Built peer_access();
  // Whether the buffer has a side on that device, if it is known; reports it otherwise.
  bool on_device(const syntax::Name& where, const Buffer& buffer, std::optional<DeviceId> device);
  // Whether cudaEventRecord takes that event in the statement's stream; reports it otherwise.
  bool records_here(const syntax::Name& where, const Event& event);

  // build_graph.cpp: graphs captured in the run, and launched
  Built launch();
  Built capture();
  Built capture_info();
  bool may_capture_here(const Graph& graph);
  // Whether no other thread may launch or capture the graph meanwhile; reports it otherwise.
  bool alone_with(GraphId graph);

  // build_thread.cpp: threads joined
  Built join();

  OperationIndex next() const { return static_cast<OperationIndex>(expansion_.program.operations.size()); }
  const std::string& thread_name(ThreadId thread) const { return expansion_.program.threads[thread.value].name; }
  std::string thread_words(ThreadId thread) const {
    return thread == ThreadId{0} ? std::string(tr("the main thread")) : tr("thread {}", thread_name(thread));
  }

  Expansion& expansion_;
  const syntax::Statement& statement_;
  std::optional<DeviceId> device_;  // that the work is of; none after an error in its stream
};

}  // namespace streamscope::program
