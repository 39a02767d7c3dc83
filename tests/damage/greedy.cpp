#include <fmt/format.h>

#include <string>

#include "tests/damage/readers.h"
#include "tests/engine/input/nsys_case.h"

namespace streamscope::damage {
namespace {

// `piece` again and again between the two.
std::string filled(std::size_t bytes, std::string begin, std::string_view piece, std::string_view end) {
  while (begin.size() + piece.size() + end.size() <= bytes) begin += piece;
  if (begin.ends_with(',')) begin.pop_back();
  return begin + std::string(end);
}

// One long name, and as many threads as it takes a tenth of the file to have.
std::string long_process_name(std::size_t bytes) {
  std::string out = R"({"traceEvents":[{"ph":"M","name":"process_name","pid":1,"args":{"name":")" +
                    std::string(bytes * 9 / 10, 'n') + "\"}}";
  for (int thread = 0; out.size() < bytes; ++thread)
    out += fmt::format(R"(,{{"ph":"X","pid":1,"tid":{},"ts":1,"dur":1}})", thread);
  return out + "]}";
}
std::string long_thread_names(std::size_t bytes) {
  std::string sql = "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES (1,'" +
                    std::string(std::min<std::size_t>(bytes * 8 / 10, 1'000'000), 'n') +
                    "'); CREATE TABLE ThreadNames (nameId INTEGER, globalTid INTEGER); CREATE TABLE NVTX_EVENTS (start "
                    "INTEGER, end INTEGER, globalTid INTEGER); BEGIN;";
  for (std::size_t thread = 0; thread < bytes / 200; ++thread)
    sql += fmt::format("INSERT INTO ThreadNames VALUES (1,{0}); INSERT INTO NVTX_EVENTS VALUES (1,2,{0});", thread);
  return input_test::database(sql + "COMMIT;");
}

constexpr const char* kSaved = R"({"schema":1,"provenance":{"kind":"model"},)";
std::string empty_spans(std::size_t bytes) { return filled(bytes, std::string(kSaved) + R"("spans":[)", "{},", "]}"); }
std::string empty_kernels(std::size_t bytes) {
  return filled(bytes, std::string(kSaved) + R"("spans":[],"kernels":[)", "{},", "]}");
}
std::string empty_blocks(std::size_t bytes) {
  return filled(bytes, std::string(kSaved) + R"("spans":[],"stages":{"every":1,"blocks":[)", "{},", "]}}");
}
std::string short_names(std::size_t bytes) {
  return filled(bytes, std::string(kSaved) + R"("spans":[],"names":[)", "\"\",", "]}");
}
std::string many_threads(std::size_t bytes) {
  std::string out = "[";
  for (int thread = 0; out.size() + 40 < bytes; ++thread)
    out += fmt::format(R"({}{{"ph":"i","ts":1,"tid":{}}})", thread == 0 ? "" : ",", thread);
  return out + "]";
}
std::string never_ended(std::size_t bytes) { return filled(bytes, "[", R"({"ph":"B","ts":1},)", "]"); }
std::string deep(std::size_t bytes) { return std::string(bytes, '['); }

std::string line_ends(std::size_t bytes) { return std::string(bytes, '\n'); }
std::string comments(std::size_t bytes) { return filled(bytes, "", "#\n", ""); }
std::string wrong_lines(std::size_t bytes) { return filled(bytes, "", "x\n", ""); }
std::string unknown_names(std::size_t bytes) { return filled(bytes, "", "A:sync\n", ""); }
std::string many_works(std::size_t bytes) { return filled(bytes, "", "host:work 1s\n", ""); }

std::string many_keys(std::size_t bytes) {
  std::string out;
  for (int key = 0; out.size() + 16 < bytes; ++key) out += fmt::format("k{}=1\n", key);
  return out;
}
std::string long_array(std::size_t bytes) { return filled(bytes, "a=[", "1,", "]\n"); }
std::string many_tables(std::size_t bytes) { return filled(bytes, "", "[[a]]\n", ""); }
std::string dotted_keys(std::size_t bytes) {
  std::string out;
  for (int key = 0; out.size() + 1100 < bytes; ++key) {
    out += fmt::format("k{}", key);
    for (int depth = 0; depth < 500; ++depth) out += ".a";
    out += "=1\n";
  }
  return out;
}

std::string deep_key(std::size_t bytes) { return filled(bytes, "a", ".a", "=1\n"); }
std::string deep_heading(std::size_t bytes) { return filled(bytes, "[a", ".a", "]\n"); }

std::string frame(std::size_t bytes, char filler) {
  std::string out;
  for (std::size_t shift = 0; shift < 32; shift += 8) out += static_cast<char>(bytes >> shift & 0xFF);
  const auto count = static_cast<std::uint32_t>(bytes - 10);  // of an array within a map of one key
  out +=
      "\xA1\x61"
      "a\x9A";
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(count >> shift & 0xFF);
  return out + std::string(bytes - 8, filler);
}
std::string many_small_values(std::size_t bytes) { return frame(bytes, '\x01'); }
std::string many_empty_maps(std::size_t bytes) { return frame(bytes, '\xA0'); }

}  // namespace

std::vector<Greedy> greedy_files() {
  return {{"JSON: one long name, many threads", long_process_name, json},
          {"nsys: one long name, many threads", long_thread_names, nsys},
          {"saved run: {} spans", empty_spans, json},
          {"saved run: {} kernels", empty_kernels, json},
          {"saved run: {} blocks", empty_blocks, json},
          {"saved run: empty names", short_names, json},
          {"JSON: a thread each event", many_threads, json},
          {"JSON: begins without end", never_ended, json},
          {"JSON: [ alone", deep, json},
          {".streams: line ends", line_ends, stream_program},
          {".streams: comments", comments, stream_program},
          {".streams: wrong lines", wrong_lines, stream_program},
          {".streams: unknown streams", unknown_names, stream_program},
          {".streams: short statements", many_works, stream_program},
          {"experiment: unknown keys", many_keys, experiment_file},
          {"experiment: a long array", long_array, experiment_file},
          {"experiment: many tables", many_tables, experiment_file},
          {"experiment: dotted keys", dotted_keys, experiment_file},
          {"experiment: a deep key", deep_key, experiment_file},
          {"profile: a deep heading", deep_heading, profile},
          {"profile: unknown keys", many_keys, profile},
          {"profile: many tables", many_tables, profile},
          {"message: small values", many_small_values, messages},
          {"message: empty maps", many_empty_maps, messages}};
}

}  // namespace streamscope::damage
