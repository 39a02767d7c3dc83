// The finished runs that are kept, and the one of them in view.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/window/state/editing.h"
#include "app/window/state/shown_run.h"

namespace streamscope::window {

// Finished runs are kept up to this many spans (about 100 bytes each; a run counts for 1,000 besides its own); then the
// oldest are dropped, and the window says so.
inline constexpr std::size_t kSpansKept = 4'000'000;
inline constexpr std::uint64_t kNoRun = 0;  // runs are counted from 1

struct Runs {
  std::vector<std::shared_ptr<const ShownRun>> all;  // that are kept, in the order they finished in
  std::shared_ptr<const ShownRun> shown;             // the one in view
  std::uint64_t finished = 0;                        // counts them
  std::size_t spans_kept = 0;
  std::map<std::uint64_t, std::string> names;    // that a person gave, by number
  std::map<std::uint64_t, std::string> changes;  // what was changed from the run before, by number
  std::uint64_t renaming = kNoRun;               // its name is a field in the list
};

namespace command {
struct RenameRun {
  std::uint64_t run;
  std::string name;
};
// These change other areas, too.
struct ShowRun {
  std::size_t index;
};
struct BeginRename {  // kNoRun: no longer
  std::uint64_t run;
};
struct RunPrepared {
  std::shared_ptr<const ShownRun> run;
};
// There was no memory for it.
struct RunNotPrepared {
  std::uint64_t number;
  std::string why;
};
// A saved run, or a trace of another tool, which has no program.
struct TraceOpened {
  std::string name;  // of the file
  std::filesystem::path path;
  std::shared_ptr<const trace::Run> run;
  std::optional<OpenedFile> file;
};
}  // namespace command

void update(Runs& runs, const command::RenameRun& command);
// Adds a run, which takes the place of the one before it in its series. Where there are too many spans the oldest runs
// are dropped, but not the compared one or those with a name; says whether some were.
bool keep(Runs& runs, std::shared_ptr<const ShownRun> run, const std::shared_ptr<const ShownRun>& compared);

// Puts the run in the place of the kept one with its number; says whether there was one.
bool replace(Runs& runs, const std::shared_ptr<const ShownRun>& run);

// What a person calls it, else what it was made with: "baseline", "4 streams · 16 MiB · 5.3 ms".
std::string run_name(const Runs& runs, const ShownRun& run);
std::shared_ptr<const ShownRun> find_run(const Runs& runs, std::uint64_t number);  // null: it is not kept

}  // namespace streamscope::window
