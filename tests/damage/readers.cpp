#include "tests/damage/readers.h"

#include <cstdint>
#include <span>

#include "engine/device/model/profile/profile_file.h"
#include "engine/experiment/read_input.h"
#include "engine/input/json.h"
#include "engine/input/nsys_sqlite.h"
#include "engine/program/read_program.h"
#include "engine/remote/wire.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::damage {
namespace {

template <class T>
Seen seen(const Result<T>& read) {
  Seen out;
  if (!read) out.error = read.error().message;
  return out;
}

std::size_t things(const trace::Trace& trace) {
  std::size_t count = trace.kernels.size() + trace.launches.size() + trace.stages.blocks.size();
  for (const trace::StageBlock& block : trace.stages.blocks) count += block.stages.size();
  for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    count += trace.packed ? 0 : 1;  // of another tool's, two may become one: a call and its execution
    for (const Nanoseconds time : {span.host_begin, span.host_end, span.ready, span.start, span.end})
      count += known(time) ? 1 : 0;
  }
  return count;
}

Seen seen(const Result<trace::Run>& read) {
  Seen out;
  if (!read) {
    out.error = read.error().message;
    return out;
  }
  for (const trace::Note& note : read->notes) out.notes += note.text + "\n";
  out.things = things(read->trace);
  if (read->prediction) out.things += things(read->prediction->trace);
  return out;
}

}  // namespace

Seen json(std::string_view bytes) {
  const input::OpenControl control;
  return seen(input::read_json(bytes, "f", input::ReadControl(control)));
}
Seen nsys(std::string_view bytes) {
  const input::OpenControl control;
  return seen(input::read_nsys(bytes, "f", input::ReadControl(control)));
}
Seen stream_program(std::string_view bytes) { return seen(program::read_program(bytes, "f")); }
Seen experiment_file(std::string_view bytes) {
  return seen(experiment::read_input({"f", "f.toml", std::string(bytes)}, {}));
}
Seen profile(std::string_view bytes) { return seen(model::parse_profile(bytes, "f", "id")); }

// As they come through a pipe: whole ones, one after the other, until it ends.
Seen messages(std::string_view bytes) {
  remote::FrameReader reader;
  reader.feed({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  Seen out;
  for (;;) {
    const auto message = reader.next();
    if (!message) return seen(message);
    if (!*message) break;
    ++out.things;
    if (const auto* spans = std::get_if<remote::message::Spans>(&**message)) out.things += spans->spans.size();
  }
  const auto ended = reader.finish();
  if (!ended) out.error = ended.error().message;
  return out;
}

}  // namespace streamscope::damage
