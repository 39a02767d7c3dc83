// Two ways: bytes that begin as an SQLite file does are one; all others tell what tables to make, with which columns
// and with values of which types, so that the reader sees sound databases with nonsense in them.
#include <fmt/format.h>
#include <fuzzer/FuzzedDataProvider.h>
#include <sqlite3.h>

#include <string>
#include <string_view>

#include "engine/input/nsys_sqlite.h"
#include "tests/fuzz/take_through.h"

namespace {

constexpr const char* kTables[] = {"StringIds",
                                   "ThreadNames",
                                   "PROCESSES",
                                   "TARGET_INFO_GPU",
                                   "TARGET_INFO_SESSION_START_TIME",
                                   "CUPTI_ACTIVITY_KIND_KERNEL",
                                   "CUPTI_ACTIVITY_KIND_MEMCPY",
                                   "CUPTI_ACTIVITY_KIND_MEMSET",
                                   "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                                   "CUPTI_ACTIVITY_KIND_RUNTIME",
                                   "CUPTI_ACTIVITY_KIND_DRIVER",
                                   "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                   "NVTX_EVENTS"};
constexpr const char* kColumns[] = {"start",     "end",       "deviceId",  "streamId",      "correlationId",
                                    "globalPid", "globalTid", "nameId",    "demangledName", "shortName",
                                    "bytes",     "copyKind",  "id",        "value",         "name",
                                    "text",      "textId",    "eventType", "syncType",      "utcEpochNs"};

void bind(sqlite3_stmt* to, int at, FuzzedDataProvider& from) {
  switch (from.ConsumeIntegralInRange(0, 6)) {
    case 0: sqlite3_bind_null(to, at); break;
    case 1: sqlite3_bind_double(to, at, from.ConsumeFloatingPoint<double>()); break;
    case 2: sqlite3_bind_int64(to, at, from.ConsumeIntegral<std::int64_t>()); break;
    case 3: {
      const std::string text = from.ConsumeRandomLengthString(40);
      sqlite3_bind_text(to, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
      break;
    }
    case 4: {
      const std::string blob = from.ConsumeRandomLengthString(20);
      sqlite3_bind_blob(to, at, blob.data(), static_cast<int>(blob.size()), SQLITE_TRANSIENT);
      break;
    }
    default: sqlite3_bind_int(to, at, from.ConsumeIntegral<std::uint8_t>());
  }
}

std::string made(FuzzedDataProvider& from) {
  sqlite3* handle = nullptr;
  sqlite3_open(":memory:", &handle);
  sqlite3_exec(handle, "PRAGMA page_size=512; BEGIN", nullptr, nullptr, nullptr);
  while (from.remaining_bytes() > 0) {
    const char* table = from.PickValueInArray(kTables);
    std::string columns, places;
    int count = 0;
    for (const char* column : kColumns) {
      if (!from.ConsumeBool()) continue;
      columns += fmt::format("{}\"{}\"", count > 0 ? "," : "", column);
      places += count++ > 0 ? ",?" : "?";
    }
    if (count == 0) continue;
    sqlite3_exec(handle, fmt::format("CREATE TABLE {} ({})", table, columns).c_str(), nullptr, nullptr, nullptr);
    sqlite3_stmt* insert = nullptr;
    sqlite3_prepare_v2(handle, fmt::format("INSERT INTO {} ({}) VALUES ({})", table, columns, places).c_str(), -1,
                       &insert, nullptr);
    for (int rows = from.ConsumeIntegralInRange(0, 8); insert != nullptr && rows > 0; --rows) {
      for (int i = 1; i <= count; ++i) bind(insert, i, from);
      sqlite3_step(insert);
      sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
  }
  sqlite3_exec(handle, "COMMIT", nullptr, nullptr, nullptr);
  sqlite3_int64 size = 0;
  unsigned char* bytes = sqlite3_serialize(handle, "main", &size, 0);
  std::string file;
  if (bytes != nullptr) file.assign(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  sqlite3_free(bytes);
  sqlite3_close(handle);
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace streamscope;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const input::OpenControl plain;
  const input::ReadControl control(plain);
  if (bytes.substr(0, 6) == "SQLite") {
    fuzz::take_through(input::read_nsys(bytes, "f", control));
  } else {
    FuzzedDataProvider from(data, size);
    fuzz::take_through(input::read_nsys(made(from), "f", control));
  }
  return 0;
}
