#include "engine/input/nsys_sqlite.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "engine/base/place.h"
#include "engine/base/translate.h"
#include "engine/base/utf8.h"
#include "engine/input/cuda_names.h"
#include "engine/input/database.h"
#include "engine/input/imported_trace.h"

namespace streamscope::input {
namespace {

using Row = Database::Row;

constexpr std::uint64_t kRowsPerProgress = 65'536;
// About so many in the tables that are read; only for the progress.
constexpr std::uint64_t kBytesARow = 120;

using KindAndName = std::pair<OperationKind, std::string_view>;
// CUpti_ActivityMemcpyKind; the first is that of any other number.
constexpr KindAndName kCopies[] = {
    {OperationKind::d2d, "Memcpy"},      {OperationKind::h2d, "Memcpy HtoD"}, {OperationKind::d2h, "Memcpy DtoH"},
    {OperationKind::h2d, "Memcpy HtoA"}, {OperationKind::d2h, "Memcpy AtoH"}, {OperationKind::d2d, "Memcpy AtoA"},
    {OperationKind::d2d, "Memcpy AtoD"}, {OperationKind::d2d, "Memcpy DtoA"}, {OperationKind::d2d, "Memcpy DtoD"},
    {OperationKind::d2d, "Memcpy HtoH"}, {OperationKind::d2d, "Memcpy PtoP"}};
// CUpti_ActivitySynchronizationType.
constexpr KindAndName kSyncs[] = {{OperationKind::sync, "Synchronize"},
                                  {OperationKind::sync, "Event synchronize"},
                                  {OperationKind::wait, "Stream wait event"},
                                  {OperationKind::sync, "Stream synchronize"},
                                  {OperationKind::sync, "Context synchronize"}};
KindAndName numbered(std::span<const KindAndName> all, std::optional<std::int64_t> number) {
  const std::int64_t at = number.value_or(0);
  return all[at >= 0 && at < static_cast<std::int64_t>(all.size()) ? static_cast<std::size_t>(at) : 0];
}

constexpr std::int64_t kNvtxMark = 34, kNvtxRange = 59, kNvtxStartEnd = 60;
constexpr std::int64_t kNvtxNames[] = {33, 39, 75, 76};  // of categories, threads and domains: no events

// Ids of Nsight Systems hold machine, process and thread; numbers of 24 bits.
std::uint32_t process_of(std::int64_t id) { return static_cast<std::uint32_t>(id >> 24) & 0xFFFFFFu; }
std::uint32_t thread_of(std::int64_t id) { return static_cast<std::uint32_t>(id) & 0xFFFFFFu; }

std::string utc(std::int64_t nanoseconds) {
  const std::time_t seconds = nanoseconds / 1'000'000'000;
  std::tm parts{};
  if (nanoseconds <= 0 || gmtime_r(&seconds, &parts) == nullptr) return {};
  char text[40];
  return std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0 ? text : "";
}

// Columns differ from version to version, and tables are there only where there was something to record: the schema is
// asked, and what is missing is done without.
class Nsys {
 public:
  Nsys(Database& database, const std::string& file, const ReadControl& control)
      : database_(database), file_(file), control_(control) {
    trace_.limit_names(database.size() + (1u << 20));
  }

  Result<trace::Run> read() && {
    for (const auto step : {&Nsys::strings, &Nsys::threads, &Nsys::processes, &Nsys::devices, &Nsys::session,
                            &Nsys::find_correlation_scope, &Nsys::kernels, &Nsys::copies, &Nsys::memsets, &Nsys::graphs,
                            &Nsys::calls, &Nsys::syncs, &Nsys::nvtx}) {
      TRY((this->*step)());
      if (trace_.too_many()) return fail(ErrorKind::bad_input, error_at(file_, too_much(trace_)));
    }
    if (!found_) {
      return fail(
          ErrorKind::bad_input,
          error_at(file_, tr("there is no table of CUDA's activities or NVTX ranges in it; is it an export "
                             "of Nsight Systems (nsys export --type sqlite), recorded with --trace cuda,nvtx?")));
    }
    trace::Run about;
    trace::Provenance& from = about.trace.provenance;
    from.kind = trace::Provenance::Kind::measured;
    from.instrument = "nsys";
    from.clock = tr("the file's own, in nanoseconds");
    from.date = date_;
    from.device = devices_.empty() ? tr("device not named") : fmt::format("{}", fmt::join(devices_, ", "));
    about.notes.push_back(
        {trace::NoteKind::file, tr("Opened from {}: a recording of Nsight Systems, shown as the file has it.", file_)});
    return std::move(trace_).finish(std::move(about));
  }

 private:
  // One table, if it is there.
  template <class Take>
  Result<void> each(std::string_view table, const std::vector<std::string_view>& columns, Take take) {
    const auto there = TRY(database_.has(table));
    if (!there) return {};
    return database_.read(table, columns, [&](const Row& row) {
      take(row);
      if (database_.rows() % kRowsPerProgress == 0)
        control_.read(std::min<std::uint64_t>(database_.rows() * kBytesARow, database_.size()), database_.size());
      return !trace_.too_many();
    });
  }

  // One with a slice in each row; the first two columns are its start and end.
  template <class Take>
  Result<void> slices(std::string_view table, std::vector<std::string_view> columns, Take take) {
    columns.insert(columns.begin(), {"start", "end"});
    return each(table, columns, [&](const Row& row) {
      found_ = true;
      Slice slice;
      const auto start = row.integer(0), end = row.integer(1);
      if (!start || (!end && !row.null(1)))
        return trace_.leave_out(tr("Rows of {} left out because their times are no whole numbers", table));
      slice.start = *start;
      slice.end = end.value_or(*start);
      if (take(row, slice, end.has_value())) trace_.add(slice);
    });
  }

  Result<void> strings() {
    std::uint64_t bytes = 0;
    auto read = each("StringIds", {"id", "value"}, [&](const Row& row) {
      const auto id = row.integer(0);
      const auto value = row.text(1);
      if (!id || !value) return;
      // Rows of a damaged file may share their text: it must not grow beyond the file.
      bytes += value->size();
      if (bytes <= database_.size() + (1u << 20)) strings_.emplace(*id, *value);
    });
    return read;
  }
  Result<void> threads() {
    return each("ThreadNames", {"globalTid", "nameId"}, [&](const Row& row) {
      if (const auto id = row.integer(0)) thread_names_.emplace(*id, label(word(row, {1})));
    });
  }
  Result<void> processes() {
    return each("PROCESSES", {"globalPid", "name"}, [&](const Row& row) {
      if (const auto id = row.integer(0)) process_names_.emplace(process_of(*id), label(word(row, {1})));
    });
  }
  Result<void> devices() {
    return each("TARGET_INFO_GPU", {"name"}, [&](const Row& row) {
      if (const auto name = row.text(0); name && devices_.size() < 64)
        if (std::string valid = valid_utf8(*name); !valid.empty()) devices_.insert(cut_text(std::move(valid), 200));
    });
  }
  Result<void> session() {
    return each("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, [&](const Row& row) {
      if (const auto epoch = row.integer(0)) date_ = utc(*epoch);
    });
  }
  // Correlation ids are unique within a process, where the tables name the process.
  Result<void> find_correlation_scope() {
    for (const std::string_view table :
         {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET"}) {
      const auto there = TRY(database_.has(table));
      if (there) grouped_ &= database_.has_column(table, "globalPid");
    }
    return {};
  }

  // A text of its own or the number of one: the first of the columns that has either. Good until the next row.
  std::string_view word(const Row& row, std::initializer_list<int> columns) {
    bool missing = false;
    for (const int column : columns) {
      if (const auto text = row.text(column); text && !text->empty()) return *text;
      const auto id = row.integer(column);
      if (!id) continue;
      const auto found = strings_.find(*id);
      missing |= found == strings_.end();
      if (found != strings_.end() && !found->second.empty()) return found->second;
    }
    if (missing) trace_.leave_out(tr_later("Shown without a name because the file has no text of that number"));
    return {};
  }

  std::uint64_t correlation(const Row& row, int column) const {
    const std::int64_t number = row.integer(column).value_or(0);
    return number > 0 ? static_cast<std::uint64_t>(number) : 0;
  }

  std::string process_name(std::uint32_t pid) const {
    const auto named = process_names_.find(pid);
    return named != process_names_.end() && !named->second.empty() ? fmt::format("{} {}", named->second, pid)
                                                                   : tr("process {}", pid);
  }

  // The columns of device work begin behind start and end: these four, then its own.
  static std::vector<std::string_view> with_stream_columns(std::initializer_list<std::string_view> own) {
    std::vector<std::string_view> columns{"deviceId", "contextId", "streamId", "globalPid", "correlationId"};
    columns.insert(columns.end(), own);
    return columns;
  }
  static constexpr int kOwn = 7;

  void on_stream(const Row& row, Slice& slice) {
    const auto device = row.integer(2).value_or(0), context = row.integer(3).value_or(0),
               stream = row.integer(4).value_or(0);
    const std::uint32_t pid = process_of(row.integer(5).value_or(0));
    const auto [found, made] = streams_.try_emplace({pid, device, context, stream}, 0);
    if (made) {
      Track track;
      track.name = tr("GPU {} stream {}", device, stream);
      track.process = process_name(pid);
      track.process_order = device;
      track.order = stream;
      track.group = grouped_ ? pid : 0;
      track.stream = true;
      found->second = trace_.add_track(std::move(track));
    }
    slice.track = found->second;
    slice.correlation = correlation(row, 6);
  }

  void on_thread(std::optional<std::int64_t> id, Slice& slice) {
    const std::int64_t global = id.value_or(0);
    const auto [found, made] = threads_.try_emplace(global, 0);
    if (made) {
      const std::uint32_t pid = process_of(global), tid = thread_of(global);
      const auto named = thread_names_.find(global);
      const bool has_name = named != thread_names_.end() && !named->second.empty();
      Track track;
      track.name = has_name ? fmt::format("{} {}", named->second, tid) : tr("thread {}", tid);
      track.process = process_name(pid);
      track.process_order = pid;
      track.order = tid == pid ? -1 : tid;  // the main thread first
      track.group = grouped_ ? pid : 0;
      found->second = trace_.add_track(std::move(track));
    }
    slice.track = found->second;
  }

  // One with work of the device in each row. `fill(row)` gives its kind and name.
  template <class Fill>
  Result<void> work(std::string_view table, std::initializer_list<std::string_view> own, std::optional<int> bytes,
                    Fill fill) {
    return slices(table, with_stream_columns(own), [&, bytes](const Row& row, Slice& slice, bool ended) {
      on_stream(row, slice);
      const auto is = fill(row);
      slice.kind = is.first;
      slice.name = trace_.name(is.second);
      const std::int64_t moved = bytes ? row.integer(kOwn + *bytes).value_or(0) : 0;
      slice.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(moved, 0));
      return ended || unended();
    });
  }
  Result<void> kernels() {
    return work("CUPTI_ACTIVITY_KIND_KERNEL", {"demangledName", "shortName", "mangledName", "name"}, {},
                [&](const Row& row) {
                  return std::pair(OperationKind::kernel, word(row, {kOwn, kOwn + 1, kOwn + 2, kOwn + 3}));
                });
  }
  Result<void> copies() {
    return work("CUPTI_ACTIVITY_KIND_MEMCPY", {"copyKind", "bytes"}, 1,
                [](const Row& row) { return numbered(kCopies, row.integer(kOwn)); });
  }
  Result<void> memsets() {
    return work("CUPTI_ACTIVITY_KIND_MEMSET", {"bytes"}, 0,
                [](const Row&) { return KindAndName(OperationKind::memset, "Memset"); });
  }
  // Graphs that were recorded as a whole.
  Result<void> graphs() {
    return work("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", {"graphId"}, {}, [](const Row& row) {
      return std::pair(OperationKind::kernel, fmt::format("CUDA graph {}", row.integer(kOwn).value_or(0)));
    });
  }
  Result<void> calls() {
    for (const std::string_view table : {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER"}) {
      auto done =
          slices(table, {"globalTid", "correlationId", "nameId"}, [&](const Row& row, Slice& slice, bool ended) {
            on_thread(row.integer(2), slice);
            const std::string_view name = word(row, {4});
            slice.kind = kind_of_call(name);
            slice.name = trace_.name(name);
            slice.correlation = correlation(row, 3);
            return ended || unended();
          });
      if (!done) return done;
    }
    return {};
  }
  // The same waits as those of the calls, with what they wait for: on a track of their own.
  Result<void> syncs() {
    return slices("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", with_stream_columns({"syncType"}),
                  [&](const Row& row, Slice& slice, bool ended) {
                    const std::uint32_t pid = process_of(row.integer(5).value_or(0));
                    const auto [found, made] = sync_tracks_.try_emplace(pid, 0);
                    if (made) {
                      Track track;
                      track.name = "CUDA synchronization";
                      track.process = process_name(pid);
                      track.process_order = pid;
                      track.order = std::numeric_limits<std::int64_t>::max();
                      found->second = trace_.add_track(std::move(track));
                    }
                    slice.track = found->second;
                    const auto [kind, name] = numbered(kSyncs, row.integer(kOwn));
                    slice.kind = kind;
                    slice.name = trace_.name(name);
                    return ended || unended();
                  });
  }
  Result<void> nvtx() {
    return slices("NVTX_EVENTS", {"globalTid", "eventType", "text", "textId"},
                  [&](const Row& row, Slice& slice, bool ended) {
                    const std::int64_t type = row.integer(3).value_or(ended ? kNvtxRange : kNvtxMark);
                    if (type != kNvtxMark && type != kNvtxRange && type != kNvtxStartEnd) {
                      if (std::ranges::find(kNvtxNames, type) == std::end(kNvtxNames))
                        trace_.leave_out(tr_later("NVTX events of other types, which are not drawn"));
                      return false;
                    }
                    on_thread(row.integer(2), slice);
                    slice.name = trace_.name(word(row, {4, 5}));
                    return ended || type == kNvtxMark || unended();
                  });
  }

  bool unended() {
    trace_.leave_out(tr_later("Left out because they have no end"));
    return false;
  }

  Database& database_;
  const std::string& file_;
  const ReadControl& control_;
  ImportedTrace trace_;
  std::unordered_map<std::int64_t, std::string> strings_, thread_names_;
  std::unordered_map<std::uint32_t, std::string> process_names_;
  std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t, std::int64_t>, std::uint32_t> streams_;
  std::unordered_map<std::int64_t, std::uint32_t> threads_;
  std::unordered_map<std::uint32_t, std::uint32_t> sync_tracks_;
  std::set<std::string> devices_;
  std::string date_;
  bool grouped_ = true, found_ = false;
};

Result<trace::Run> read(Result<std::unique_ptr<Database>> database, const std::string& file,
                        const ReadControl& control) {
  if (!database) return fail(database.error());
  return Nsys(**database, file, control).read();
}

}  // namespace

Result<trace::Run> read_nsys(const std::filesystem::path& path, const ReadControl& control) {
  return read(Database::open(path, [&] { return control.stopped(); }), path.string(), control);
}

Result<trace::Run> read_nsys(std::string_view bytes, const std::string& file, const ReadControl& control) {
  return read(Database::open(bytes, file, [&] { return control.stopped(); }), file, control);
}

}  // namespace streamscope::input
