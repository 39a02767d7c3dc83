#include "engine/input/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

#include "engine/base/place.h"
#include "engine/base/translate.h"

namespace streamscope::input {
namespace {

constexpr int kStepsBetweenLooks = 20'000;
constexpr std::size_t kHeadBytes = 100;
constexpr int kLongestText = 1 << 20;
// A row takes some bytes of the file, and reading it some steps of SQLite's virtual machine: a read that needs far more
// is in an endless loop.
constexpr std::uint64_t kFewestBytesARow = 4, kStepsAByte = 100, kStepsAlways = 20'000'000;

// As SQLite's file names are written that have parameters.
std::string uri(const std::filesystem::path& path) {
  std::string out = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                       c == '.' || c == '_' || c == '-';
    if (plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out + "?mode=ro&immutable=1";
}

std::string sql_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

}  // namespace

std::optional<std::int64_t> Database::Row::integer(int column) const {
  if (sqlite3_column_type(statement_, column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(statement_, column);
}

std::optional<std::string_view> Database::Row::text(int column) const {
  if (sqlite3_column_type(statement_, column) != SQLITE_TEXT) return std::nullopt;
  const unsigned char* bytes = sqlite3_column_text(statement_, column);
  if (bytes == nullptr) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(bytes),
                          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

Database::Database(std::string file, std::uint64_t size, std::function<bool()> stopped)
    : file_(std::move(file)), size_(size), stopped_(std::move(stopped)) {}

Database::~Database() { sqlite3_close(handle_); }

tl::unexpected<Error> Database::wrong(std::string_view where, std::string_view why) const {
  return fail(ErrorKind::bad_input, error_at(where.empty() ? file_ : fmt::format("{}: {}", file_, where), why));
}

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& path, std::function<bool()> stopped) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::unique_ptr<Database> made(new Database(path.string(), error ? 0 : size, std::move(stopped)));
  const int opened = sqlite3_open_v2(uri(path).c_str(), &made->handle_,
                                     SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  if (opened != SQLITE_OK) return made->wrong("", sqlite3_errstr(opened));
  std::string head(kHeadBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  TRY(made->whole(head));
  TRY(made->prepare());
  return made;
}

Result<std::unique_ptr<Database>> Database::open(std::string_view bytes, std::string file,
                                                 std::function<bool()> stopped) {
  std::unique_ptr<Database> made(new Database(std::move(file), bytes.size(), std::move(stopped)));
  const int opened = sqlite3_open_v2(":memory:", &made->handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  if (opened != SQLITE_OK) return made->wrong("", sqlite3_errstr(opened));
  TRY(made->whole(bytes.substr(0, kHeadBytes)));
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(std::max<std::size_t>(bytes.size(), 1)));
  if (copy == nullptr) return made->wrong("", tr("out of memory"));
  std::memcpy(copy, bytes.data(), bytes.size());
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  const int taken = sqlite3_deserialize(made->handle_, "main", copy, size, size,
                                        SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
  if (taken != SQLITE_OK) return made->wrong("", sqlite3_errstr(taken));
  TRY(made->prepare());
  return made;
}

// SQLite itself takes a page that is cut for a page with zeros at its end.
Result<void> Database::whole(std::string_view head) const {
  if (head.size() < kHeadBytes || !head.starts_with("SQLite format 3")) return {};  // SQLite says what is wrong
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<unsigned char>(head[at + i]);
    return value;
  };
  const std::uint64_t page = number(16, 2) == 1 ? 65'536 : number(16, 2);
  if (page == 0) return {};
  // The number of pages counts where the writer that kept it was the last one.
  const std::uint64_t pages = number(24, 4) == number(92, 4) ? number(28, 4) : 0;
  const std::uint64_t least = std::max(pages, (size_ + page - 1) / page) * page;
  if (size_ >= least) return {};
  return wrong("", tr("the file is cut: it has {} bytes and should have {}; export it again", size_, least));
}

Result<void> Database::prepare() {
  for (const auto& [what, most] :
       {std::pair{SQLITE_LIMIT_LENGTH, kLongestText}, std::pair{SQLITE_LIMIT_SQL_LENGTH, 100'000},
        std::pair{SQLITE_LIMIT_COLUMN, 500}, std::pair{SQLITE_LIMIT_EXPR_DEPTH, 50},
        std::pair{SQLITE_LIMIT_COMPOUND_SELECT, 3}, std::pair{SQLITE_LIMIT_VDBE_OP, 25'000},
        std::pair{SQLITE_LIMIT_FUNCTION_ARG, 8}, std::pair{SQLITE_LIMIT_ATTACHED, 0},
        std::pair{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100}, std::pair{SQLITE_LIMIT_VARIABLE_NUMBER, 10},
        std::pair{SQLITE_LIMIT_TRIGGER_DEPTH, 1}, std::pair{SQLITE_LIMIT_WORKER_THREADS, 0}})
    sqlite3_limit(handle_, what, most);
  for (const auto& [what, on] :
       {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1}, std::pair{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        std::pair{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, std::pair{SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        std::pair{SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}, std::pair{SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0}})
    sqlite3_db_config(handle_, what, on, nullptr);
  sqlite3_progress_handler(
      handle_, kStepsBetweenLooks, [](void* self) -> int { return static_cast<Database*>(self)->too_long() ? 1 : 0; },
      this);
  for (const char* sql : {"PRAGMA cell_size_check=ON", "PRAGMA mmap_size=0", "PRAGMA temp_store=MEMORY"})
    sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  // Reads the header and the schema: fails if this is no database.
  const auto made = TRY(statement("", "SELECT count(*) FROM sqlite_schema"));
  const Statement count(made, sqlite3_finalize);
  if (sqlite3_step(count.get()) != SQLITE_ROW) return wrong("", sqlite3_errmsg(handle_));
  return {};
}

bool Database::too_long() {
  steps_ += kStepsBetweenLooks;
  return stopped_() || steps_ > kStepsAlways + size_ * kStepsAByte;
}

Result<sqlite3_stmt*> Database::statement(std::string_view where, const std::string& sql) {
  sqlite3_stmt* made = nullptr;
  if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &made, nullptr) != SQLITE_OK || made == nullptr)
    return wrong(where, sqlite3_errmsg(handle_));
  return made;
}

Result<bool> Database::has(std::string_view table) {
  const auto made = TRY(statement("",
                                  "SELECT type, rootpage, name, tbl_name FROM sqlite_schema WHERE name = ?1 OR "
                                  "(tbl_name = ?1 AND type = 'table') LIMIT 1"));
  const Statement found(made, sqlite3_finalize);
  sqlite3_bind_text(found.get(), 1, table.data(), static_cast<int>(table.size()), SQLITE_STATIC);
  const int step = sqlite3_step(found.get());
  if (step == SQLITE_DONE) return false;
  if (step != SQLITE_ROW) return wrong("", sqlite3_errmsg(handle_));
  Row row;
  row.statement_ = found.get();
  const std::string where = tr("table {}", table);
  // A view could compute anything, and a virtual table call anything.
  if (row.text(0).value_or("") != "table" || row.integer(1).value_or(0) <= 0)
    return wrong(where, tr("this is no plain table; an export of Nsight Systems has only such"));
  if (row.text(2).value_or("") != table || row.text(3).value_or("") != table)
    return wrong(where, tr("it has two names; the database is damaged"));
  bool computed = false;
  const std::vector<std::string> names = columns(table, computed);
  if (names.empty()) return wrong(where, tr("its columns cannot be read: {}", sqlite3_errmsg(handle_)));
  if (computed) return wrong(where, tr("it has generated columns; an export of Nsight Systems has none"));
  return true;
}

// Rows that a damaged page does not name any more would be missing without a word.
Result<void> Database::undamaged(std::string_view table) {
  const std::string where = tr("table {}", table);
  const auto made = TRY(statement(where, fmt::format("PRAGMA quick_check({})", sql_name(table))));
  const Statement check(made, sqlite3_finalize);
  const int step = sqlite3_step(check.get());
  if (step == SQLITE_INTERRUPT && stopped_()) return fail(ErrorKind::cancelled, tr("{}: reading was stopped", file_));
  Row row;
  row.statement_ = check.get();
  std::string_view found = step == SQLITE_ROW ? row.text(0).value_or("") : sqlite3_errmsg(handle_);
  if (found == "ok") return {};
  if (found.starts_with("***")) found.remove_prefix(std::min(found.find('\n') + 1, found.size()));  // its heading
  return wrong(where, tr("it is damaged: {}", found.substr(0, found.find('\n'))));
}

std::vector<std::string> Database::columns(std::string_view table, bool& computed) {
  std::vector<std::string> names;
  const auto made = statement("", fmt::format("PRAGMA table_xinfo({})", sql_name(table)));
  if (!made) return names;
  const Statement info(*made, sqlite3_finalize);
  Row row;
  row.statement_ = info.get();
  while (sqlite3_step(info.get()) == SQLITE_ROW) {
    computed |= row.integer(6).value_or(0) != 0;
    if (const auto name = row.text(1)) names.emplace_back(*name);
  }
  return names;
}

bool Database::has_column(std::string_view table, std::string_view column) {
  bool computed = false;
  const std::vector<std::string> names = columns(table, computed);
  return std::find(names.begin(), names.end(), column) != names.end();
}

Result<void> Database::read(std::string_view table, const std::vector<std::string_view>& wanted,
                            const std::function<bool(const Row&)>& row) {
  TRY(undamaged(table));
  bool computed = false;
  const std::vector<std::string> present = columns(table, computed);
  std::string list;
  for (const std::string_view column : wanted) {
    const bool there = std::find(present.begin(), present.end(), column) != present.end();
    list += (list.empty() ? "" : ", ") + (there ? sql_name(column) : std::string("NULL"));
  }
  const auto made = TRY(statement(tr("table {}", table), fmt::format("SELECT {} FROM {}", list, sql_name(table))));
  const Statement rows(made, sqlite3_finalize);
  Row at;
  at.statement_ = rows.get();
  for (std::uint64_t number = 1;; ++number) {
    const int step = sqlite3_step(rows.get());
    if (step == SQLITE_DONE) return {};
    const auto where = [&] { return tr("table {}, row {}", table, number); };
    if (step == SQLITE_INTERRUPT)
      return stopped_() ? fail(ErrorKind::cancelled, tr("{}: reading was stopped", file_))
                        : wrong(where(), tr("reading goes in circles; the database is damaged"));
    if (step != SQLITE_ROW) return wrong(where(), sqlite3_errmsg(handle_));
    if (++rows_ > size_ / kFewestBytesARow + 64)
      return wrong(where(), tr("more rows than the file has room for; the database is damaged"));
    if (!row(at)) return {};
  }
}

}  // namespace streamscope::input
