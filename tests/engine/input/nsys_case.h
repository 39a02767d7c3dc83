// SQLite databases for the tests of the reader of Nsight Systems' exports: made from statements, as bytes of a file.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>

namespace streamscope::input_test {

inline std::string database(const std::string& statements) {
  sqlite3* handle = nullptr;
  EXPECT_EQ(sqlite3_open(":memory:", &handle), SQLITE_OK);
  char* why = nullptr;
  EXPECT_EQ(sqlite3_exec(handle, ("PRAGMA page_size=512;" + statements).c_str(), nullptr, nullptr, &why), SQLITE_OK)
      << (why != nullptr ? why : "");
  sqlite3_free(why);
  sqlite3_int64 size = 0;
  unsigned char* bytes = sqlite3_serialize(handle, "main", &size, 0);
  std::string file(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  sqlite3_free(bytes);
  sqlite3_close(handle);
  return file;
}

// A process 66 (globalPid 66 << 24) with two threads, a kernel, two copies, a memset, NVTX ranges.
inline const std::string kExport = R"(
  CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT);
  INSERT INTO StringIds VALUES (1,'cudaLaunchKernel_v7000'),(2,'cudaMemcpyAsync_v3020'),(3,'void 核心<float>(int)'),
    (4,'cudaStreamSynchronize_v3020'),(5,'main loop'),(6,'worker');
  CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, busLocation TEXT);
  INSERT INTO TARGET_INFO_GPU VALUES (0,'NVIDIA H200','0000:01:00.0');
  CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
  INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000, '', '');
  CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
  INSERT INTO ThreadNames VALUES (6, 20, 1107296323);
  CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL,
    shortName INTEGER NOT NULL);
  INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1500, 2500, 0, 1, 7, 11, 1107296256, 3, 3);
  CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL,
    copyKind INTEGER NOT NULL);
  INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1200, 1400, 0, 1, 7, 10, 1107296256, 65536, 1),
    (2600, 2700, 0, 1, 13, 12, 1107296256, 128, 2);
  CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, value INTEGER, bytes INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (2800, 2801, 0, 1, 13, 99, 1107296256, 0, 64);
  CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER,
    globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 1050, 0, 1107296322, 10, 2, 0),
    (1060, 1090, 0, 1107296322, 11, 1, 0), (1100, 1130, 0, 1107296323, 12, 2, 0), (1140, 2900, 0, 1107296322, 13, 4, 0);
  CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER,
    contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1145, 2890, 0, 1, 7, 13, 1107296256, 3, 0);
  CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER,
    textId INTEGER, domainId INTEGER);
  INSERT INTO NVTX_EVENTS VALUES (900, 3000, 59, NULL, 1107296322, 5, 0), (950, NULL, 34, 'a mark', 1107296322, NULL, 0),
    (960, NULL, 59, 'never ended', 1107296322, NULL, 0), (0, NULL, 75, 'a domain', 1107296322, NULL, 1);
)";

}  // namespace streamscope::input_test
