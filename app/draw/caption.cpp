#include "app/draw/caption.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "app/timeline/provenance.h"
#include "app/timeline/span_text.h"
#include "engine/analysis/analysis.h"
#include "engine/analysis/compare.h"
#include "engine/analysis/figures.h"
#include "engine/base/counts.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/base/unfit_toml.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::draw {
namespace {

using timeline::add_part;

std::string word(const toml::table& table, std::string_view key) { return table[key].value_or(std::string()); }

// Of a key whose values have names: as the window says it.
std::string name(const toml::table& table, std::string_view key) { return tr(word(table, key).c_str()); }

// "256MiB" as a person reads it; what is no size stays as it is written.
std::string size(const toml::table& table, std::string_view key) {
  const std::string written = word(table, key);
  const auto bytes = parse_bytes(written);
  return bytes ? display_bytes(*bytes) : written;
}

// Of several devices: how many, and how the data goes across them. Empty: one.
std::string devices_of(const toml::table& table) {
  const auto devices = table["devices"].value_or(std::int64_t{1});
  const std::string across = name(table, "across");
  return devices < 2 ? std::string() : tr("{} devices, {}", devices, across.empty() ? tr("split") : across);
}
// Then each has one stream, whatever is said of streams.
bool in_parts(const toml::table& table) {
  const std::string across = word(table, "across");
  return table["devices"].value_or(std::int64_t{1}) > 1 && (across == "halo" || across == "all-gather");
}

std::string subtitle_of(const toml::table& table) {
  std::string text;
  const std::string bytes = size(table, "bytes"), chunk = size(table, "chunk");
  if (!bytes.empty()) add_part(text, chunk.empty() ? bytes : tr("{} in chunks of {}", bytes, chunk));
  // Blocking calls go through the default stream, one after the other: streams and their order are nothing then.
  const bool synchronous = word(table, "mode") == "sync", one_stream = synchronous || in_parts(table);
  add_part(text, devices_of(table));
  if (const auto streams = table["streams"].value<std::int64_t>(); streams && *streams > 0 && !one_stream) {
    const std::string flags = name(table, "stream_flags");
    add_part(text, tr_n("{} stream", "{} streams", static_cast<unsigned long>(*streams), *streams) +
                       (flags.empty() ? "" : ", " + flags));
  }
  if (!one_stream) add_part(text, name(table, "order"));
  if (const std::string host = name(table, "host"); !host.empty()) add_part(text, tr("{} memory", host));
  if (synchronous) add_part(text, tr("synchronous calls"));
  if (const toml::table* kernel = table["kernel"].as_table()) {
    const std::string name = word(*kernel, "name");
    const auto fma = (*kernel)["fma"].value<std::int64_t>();
    if (fma && (name == "axpb" || name == "tiles")) {
      add_part(text, tr("kernel {}, {} FMA an element", name, *fma));
      if (const auto stages = (*kernel)["stages"].value<std::int64_t>(); stages && name == "tiles") {
        const std::string copy = word(*kernel, "copy");
        add_part(text, copy == "sync"
                           ? std::string(tr("through registers"))
                           : fmt::format("{}, {}", copy,
                                         tr_n("{} stage", "{} stages", static_cast<unsigned long>(*stages), *stages)));
      }
    } else if (name == "attention") {
      add_part(text,
               tr("kernel attention, {}, {}", word(*kernel, "type"),
                  (*kernel)["buffers"].value_or(std::int64_t{2}) == 1 ? tr("one buffer") : tr("double-buffered")));
    } else if (!name.empty() && name != "none") {
      add_part(text, tr("kernel {} {}", name, word(*kernel, "duration")));
    }
  }
  return text;
}

std::string brief_kernel(const toml::table& kernel) {
  const std::string name = word(kernel, "name");
  if (name.empty() || name == "none") return {};
  if (const auto fma = kernel["fma"].value<std::int64_t>(); fma && (name == "axpb" || name == "tiles"))
    return fmt::format("{} {}", name, *fma);
  const std::string duration = word(kernel, "duration");
  return duration.empty() ? name : fmt::format("{} {}", name, duration);
}

// "16 × 16 MiB"; what is not given that way stays as it is written.
std::string brief_size(const toml::table& table) {
  const auto bytes = parse_bytes(word(table, "bytes")), chunk = parse_bytes(word(table, "chunk"));
  if (!bytes || !chunk || *chunk == 0) return size(table, "bytes");
  return fmt::format("{} × {}", (*bytes + *chunk - 1) / *chunk, display_bytes(*chunk));
}

Brief brief_of(const toml::table& table) {
  Brief out;
  const bool synchronous = word(table, "mode") == "sync", one_stream = synchronous || in_parts(table);
  add_part(out.made_with, devices_of(table));
  if (const auto streams = table["streams"].value<std::int64_t>(); streams && *streams > 0 && !one_stream)
    add_part(out.made_with, tr_n("{} stream", "{} streams", static_cast<unsigned long>(*streams), *streams));
  if (synchronous) add_part(out.made_with, tr("synchronous calls"));
  add_part(out.made_with, brief_size(table));
  add_part(out.made_with, name(table, "host"));
  if (const toml::table* kernel = table["kernel"].as_table()) add_part(out.made_with, brief_kernel(*kernel));
  if (!synchronous) add_part(out.besides, name(table, "stream_flags"));
  if (!one_stream) add_part(out.besides, name(table, "order"));
  return out;
}

// What a program says of itself: the comment that it begins with, which may be marked as its title. That of a program
// that comes along is a message.
std::string first_comment(const std::string& program) {
  if (!program.starts_with('#')) return {};
  std::string line = program.substr(1, program.find('\n') - 1);
  constexpr std::string_view kTitle = "Title:";
  if (const std::size_t mark = line.find(kTitle); mark == line.find_first_not_of(" #\t"))
    line.erase(0, mark + kTitle.size());
  const std::size_t from = line.find_first_not_of(" #\t"), to = line.find_last_not_of(" #\t\r");
  return from == std::string::npos ? std::string() : line.substr(from, to - from + 1);
}

std::string how_large(const trace::Run& run) {
  const std::size_t operations = trace::span_count(run.trace);
  std::set<std::uint32_t> streams;
  for (std::size_t i = 0; i < operations; ++i) {
    const trace::Span span = trace::span_at(run.trace, i);
    if (span.stream != trace::Span::kNoStream) streams.insert(span.stream);
  }
  return tr("{} on {}", tr_n("{} operation", "{} operations", operations, with_commas(operations)),
            tr_n("{} stream", "{} streams", streams.size(), streams.size()));
}

// The median alone would look exact: the spread of all runs stands beside it.
std::string spread(const trace::Statistic& statistic, int runs) {
  if (runs <= 1) return tr("one run");
  return tr("{} runs: {} to {}", runs, display_duration(statistic.minimum), display_duration(statistic.maximum));
}

}  // namespace

Caption caption(const trace::Run& run) {
  const std::string comment = first_comment(run.program);
  Caption out{comment.empty() ? std::string(tr("Stream program")) : tr(comment.c_str()), {}};
  if (trace::of_another_tool(run.trace.provenance)) out.title = tr(trace::badge(run.trace.provenance));
  if (!run.experiment.empty() && !unfit_toml(run.experiment)) {
    try {
      const toml::table table = toml::parse(run.experiment);
      if (const std::string name = word(table, "name"); !name.empty()) out.title = tr(name.c_str());
      out.subtitle = subtitle_of(table);
    } catch (const toml::parse_error&) {
      // A saved run may hold any text here; the figure then goes without its words.
      out.subtitle.clear();
    }
  }
  if (out.subtitle.empty() && trace::span_count(run.trace) > 0) out.subtitle = how_large(run);
  return out;
}

Brief brief(const trace::Run& run) {
  Brief out;
  try {
    if (!run.experiment.empty() && !unfit_toml(run.experiment)) out = brief_of(toml::parse(run.experiment));
  } catch (const toml::parse_error&) {
  }
  if (out.made_with.empty() && trace::span_count(run.trace) > 0) out.made_with = how_large(run);
  return out;
}

DocumentInfo document_info(const trace::Run& run) {
  const trace::Provenance& from = run.trace.provenance;
  return {caption(run).title, fmt::format("{}  ·  {}", tr(trace::badge(from)), timeline::provenance_text(from)),
          from.date};
}

namespace {

// Of several devices one after the other; their engines are named once where they are the same ones.
std::optional<KeyFigure> engines_busy(const trace::Run& run, const analysis::Analysis& analysis) {
  struct Device {
    std::string use, names;
  };
  std::map<std::uint32_t, Device> devices;
  for (const analysis::EngineUse& engine : analysis.engines) {
    if (engine.operations == 0) continue;
    Device& device = devices[engine.device];
    device.use += (device.use.empty() ? "" : " / ") + fmt::format("{:.0f}", std::round(engine.use * 100));
    device.names += (device.names.empty() ? "" : " / ") + std::string(tr(words_of(engine.engine).name));
  }
  if (devices.empty()) return std::nullopt;
  const std::string& first = devices.begin()->second.names;
  const bool alike =
      devices.size() == trace::device_count(run.trace) &&
      std::all_of(devices.begin(), devices.end(), [&](const auto& each) { return each.second.names == first; });
  std::string use, names = devices.size() > 1 && alike ? tr("{}, of each device", first) : alike ? first : "";
  for (const auto& [number, device] : devices) {
    use += (use.empty() ? "" : " · ") + device.use;
    if (!alike) names += (names.empty() ? "" : " · ") + device.names + trace::of_device(run.trace, number);
  }
  return KeyFigure{tr("Engines busy"), use + " %", names};
}

}  // namespace

std::vector<KeyFigure> key_figures(const trace::Run& run) {
  std::vector<KeyFigure> out;
  const analysis::Analysis analysis = analysis::analyse(run);
  if (run.makespan) {
    const bool merged = run.trace.provenance.share > 0;
    out.push_back({tr("Makespan"), display_duration(run.makespan->median),
                   merged ? tr("merged from {} runs", run.runs) : spread(*run.makespan, run.runs)});
  } else if (known(analysis.makespan)) {
    out.push_back({tr("Makespan"), display_duration(analysis.makespan), tr("first start to last end")});
  }
  if (known(analysis.makespan) && analysis.makespan > 0) {
    for (const analysis::Figure& each : analysis::figures(analysis)) {
      if (each.weight == analysis::FigureWeight::headline && each.value)
        out.push_back({std::string(each.name), analysis::display(each), each.detail});
    }
    if (auto use = engines_busy(run, analysis)) out.push_back(std::move(*use));
  }
  if (run.wall) {
    std::string detail = spread(*run.wall, run.runs);
    if (const auto& effect = run.observer_effect) {
      detail = tr("{:.3f}× bare ({:.3f} to {:.3f})", effect->median, effect->low, effect->high);
    }
    out.push_back({tr("Wall time"), display_duration(run.wall->median), detail});
  }
  if (const analysis::PredictionError error = analysis::prediction_error(run); run.prediction) {
    const std::string by = tr("model {}", run.prediction->trace.provenance.profile.substr(0, 24));
    out.push_back({tr("Predicted"), display_duration(run.prediction->wall),
                   error.wall ? fmt::format("{:+.1f} % ({})", *error.wall * 100, by) : by});
  }
  if (run.verified) {
    out.push_back(*run.verified ? KeyFigure{tr("Data"), tr("verified"), tr("equals the CPU's result")}
                                : KeyFigure{tr("Data"), tr("WRONG"), tr("differs from the CPU's result"), true});
  }
  return out;
}

}  // namespace streamscope::draw
