// Text that is made bit by bit and handed on in blocks.
#pragma once

#include <string>

#include "engine/base/file_writer.h"

namespace streamscope::output {

class Blocks {
 public:
  explicit Blocks(const TextSink& to) : to_(to) {}
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  std::string text;  // what is not handed on yet: append to it
  // To be called now and then, where nothing refers to what is in `text`.
  void pass_on() {
    if (text.size() >= kBlock) pass_all_on();
  }
  void pass_all_on() {
    to_(text);
    text.clear();
  }

 private:
  static constexpr std::size_t kBlock = 1u << 18;
  const TextSink& to_;
};

// All that `write` hands on, in one piece.
template <class Record>
std::string whole(void (*write)(const Record&, const TextSink&), const Record& record) {
  std::string out;
  write(record, [&](std::string_view text) { out += text; });
  return out;
}

}  // namespace streamscope::output
