// What a figure says in words and numbers about a run.
#pragma once

#include <string>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::draw {

struct Caption {
  std::string title;     // the experiment's name; of a program its comment in the first line, or "Stream program"
  std::string subtitle;  // "256 MiB in chunks of 16 MiB · 4 streams, nonblocking"; of a program how large it is;
                         // empty: nothing is known, as of a program's bare run
};
Caption caption(const trace::Run& run);

// The same in a line that is read at a glance, the most telling first.
struct Brief {
  std::string made_with;  // "4 streams · 16 × 16 MiB · pinned · axpb 2100"; of a program how large it is
  std::string besides;    // "nonblocking · depth-first"
};
Brief brief(const trace::Run& run);

// The metadata of a vector file.
struct DocumentInfo {
  std::string title, description;  // the caption's title; the provenance in a line
  std::string date;                // of the run: UTC, ISO 8601
};
DocumentInfo document_info(const trace::Run& run);

struct KeyFigure {
  std::string name, value, detail;
  bool bad = false;  // the data that came back was wrong
};
// Makespan, speed-up, overlap, use of the engines, wall time, verification: what is known of them.
std::vector<KeyFigure> key_figures(const trace::Run& run);

}  // namespace streamscope::draw
