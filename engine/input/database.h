// An SQLite database of unknown origin, opened read-only: nothing in it is executed.
// Views, triggers, virtual tables and generated columns are refused; memory, rows and steps are limited by the file's
// size, so that a damaged or malicious one ends in an error. Errors name the table and the row.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace streamscope::input {

class Database {
 public:
  // `stopped` is called now and then while rows are read.
  static Result<std::unique_ptr<Database>> open(const std::filesystem::path& path, std::function<bool()> stopped);
  static Result<std::unique_ptr<Database>> open(std::string_view bytes, std::string file,
                                                std::function<bool()> stopped);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  class Row {
   public:
    // `column` counts those passed to read(); one that the table lacks is null.
    bool null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
    std::optional<std::int64_t> integer(int column) const;   // nothing where it is none
    std::optional<std::string_view> text(int column) const;  // valid until the next row

   private:
    friend class Database;
    sqlite3_stmt* statement_ = nullptr;
  };

  // Whether there is such a table. Error: something else, such as a view, has its name.
  Result<bool> has(std::string_view table);
  bool has_column(std::string_view table, std::string_view column);
  // Calls `row` for each row with the columns named, until it returns false. Error: a page of the table is damaged,
  // before any row is read; or a row is.
  Result<void> read(std::string_view table, const std::vector<std::string_view>& columns,
                    const std::function<bool(const Row&)>& row);

  std::uint64_t rows() const { return rows_; }  // read so far
  std::uint64_t size() const { return size_; }  // of the file, bytes

 private:
  Database(std::string file, std::uint64_t size, std::function<bool()> stopped);
  Result<void> whole(std::string_view head) const;  // Error: by its first bytes the file should be longer
  Result<void> prepare();                           // its limits and switches
  tl::unexpected<Error> wrong(std::string_view where, std::string_view why) const;
  Result<sqlite3_stmt*> statement(std::string_view where, const std::string& sql);
  Result<void> undamaged(std::string_view table);
  std::vector<std::string> columns(std::string_view table, bool& computed);
  bool too_long();

  std::string file_;
  std::uint64_t size_ = 0, rows_ = 0, steps_ = 0;
  std::function<bool()> stopped_;
  sqlite3* handle_ = nullptr;
};

}  // namespace streamscope::input
