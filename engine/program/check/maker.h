// One statement to one operation, for operations.cpp; its parts are in the files named beside them.
#pragma once

#include <string_view>

#include "engine/program/check/operations.h"

namespace streamscope::program {

class Maker {
 public:
  Maker(Expansion& expansion, const syntax::Statement& statement) : x_(expansion), statement_(statement) {}

  // Nothing after an error.
  std::optional<Operation> make();

 private:
  using Made = std::optional<Work>;
  enum class Side { device, both, host };  // both: a copy between the two

  Made work();

  const syntax::Name& name(std::size_t i) const { return std::get<syntax::Name>(statement_.arguments[i]); }
  const syntax::Number& number(std::size_t i) const { return std::get<syntax::Number>(statement_.arguments[i]); }
  const syntax::Range& range_text(std::size_t i) const { return std::get<syntax::Range>(statement_.arguments[i]); }

  // What the name stands for, where it is of one of the kinds.
  Named* use(const syntax::Name& name, NameKinds expected);
  void mismatch(const syntax::Name& name, std::string_view text, const Named& named, NameKinds expected);

  // make_transfer.cpp: ranges, and what moves or fills them
  std::optional<Range> range(const syntax::Range& text, Side side);
  bool inside(const syntax::Range& text, std::int64_t offset, std::int64_t length, const Buffer& buffer);
  Made copy(Direction direction);
  Made blocking_copy();
  Made copy_on_device();
  Made memset();
  Made touch();
  Made prefetch();

  // make_kernel.cpp
  std::optional<std::uint32_t> option(std::string_view key, std::int64_t least, std::int64_t most, std::int64_t absent,
                                      std::string_view what);
  std::optional<std::uint32_t> threads(std::int64_t absent);
  std::optional<std::uint32_t> blocks(std::int64_t absent);
  Made spin();
  Made axpb();
  bool whole_floats(std::string_view kernel, const Range& range);  // told where they are not

  // make_tiles.cpp
  const syntax::Option* given(std::string_view key) const;
  bool wrong_option(std::string_view key, const std::string& message);  // false
  bool tiles_hold_together(const op::Tiles& tiles);
  Made tiles();

  // make_attention.cpp
  Made attention();

  std::optional<Nanoseconds> lasts(const syntax::Number& number);
  template <class T>
  Made lasting() {
    const auto duration = lasts(number(0));
    if (!duration) return std::nullopt;
    return T{*duration};
  }

  // make_wait.cpp: events, and what waits for them or for streams
  struct Target {
    Named named;
    OperationIndex record = kNoOperation;
  };
  std::optional<Target> target(NameKinds expected);
  Made record();
  Made wait();
  Made sync();
  Made poll();

  OperationIndex captured_record(EventId event, const std::string& text);

  // make_allocation.cpp: `malloc` and `free`, by the host or in a stream
  Made malloc(bool stream_ordered);
  Made free(bool stream_ordered);
  // Whether the buffer's `malloc` comes before this statement, whatever the threads do; notes the use.
  bool usable(const syntax::Name& where, std::uint32_t buffer);

  // make_thread.cpp: graphs launched, threads joined
  Made launch();
  Made join();

  OperationIndex next() const { return static_cast<OperationIndex>(x_.program.operations.size()); }
  const std::string& thread_name(ThreadId thread) const { return x_.program.threads[thread.value].name; }
  std::string thread_words(ThreadId thread) const {
    return thread == ThreadId{0} ? std::string("the main thread") : "thread " + thread_name(thread);
  }

  Expansion& x_;
  const syntax::Statement& statement_;
};

}  // namespace streamscope::program
