#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "engine/analysis/analysis.h"
#include "engine/output/blocks.h"
#include "engine/output/fields.h"
#include "engine/output/output.h"
#include "engine/trace/description.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::output {
namespace {

// Others rely on the positions of the columns: new ones come last, as a further edition.
constexpr int kEditions = 3;

// What a provenance's key is called among a span's.
std::string column_of(std::string_view key) {
  return key == "kind" ? "provenance" : key == "uncertainty_ns" ? "clock_uncertainty_ns" : std::string(key);
}

// f(member) for each that has a column of that edition.
template <class Record, class F>
void each_column(schema::Edition edition, F&& f) {
  schema::each_member<Record>([&](const auto& member) {
    if constexpr (std::decay_t<decltype(member)>::kWhere != schema::Where::computed)
      if (member.edition == edition) f(member);
  });
}

void put(std::string& out, const std::string& text) { out += csv_field(text); }
template <class T>
requires std::is_arithmetic_v<T>
void put(std::string& out, T value) { fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), value); }
template <class T>
requires std::is_enum_v<T>
void put(std::string& out, T which) { out += kNames<T>[static_cast<std::size_t>(which)]; }
template <class T>
void put(std::string& out, const std::optional<T>& value) {
  if (value) put(out, *value);
}

template <class Record, class Member>
void put_member(std::string& out, const Record& record, const Member& member) {
  if (member.present(record)) put(out, member.of(record));
  out += ',';
}

void put_time(std::string& out, Nanoseconds time) {
  if (known(time)) put(out, time);
  out += ',';
}

// Each column ends in a comma; the last one's becomes the end of the line.
void end_line(std::string& out) { out.back() = '\n'; }

std::string header() {
  std::string out;
  for (int edition = 1; edition <= kEditions; ++edition) {
    each_column<trace::Span>(edition, [&](const auto& member) { (out += member.key) += ','; });
    if (edition == 1) out += "waits_for,";
    each_column<trace::Provenance>(edition, [&](const auto& member) { (out += column_of(member.key)) += ','; });
    if (edition == 2) out += "predicted_start_ns,predicted_end_ns,predicted_by,";
  }
  end_line(out);
  return out;
}

// Where a device's times come from, by edition: the same for all of its spans.
std::array<std::string, kEditions> origin_of(const trace::Provenance& from) {
  std::array<std::string, kEditions> origin;
  for (int edition = 1; edition <= kEditions; ++edition) {
    each_column<trace::Provenance>(
        edition, [&](const auto& member) { put_member(origin[static_cast<std::size_t>(edition - 1)], from, member); });
  }
  return origin;
}

}  // namespace

void write_csv(const trace::Run& run, const TextSink& to) {
  const trace::Trace& trace = run.trace;
  const Table tables[] = {{trace.names, csv_field, ""},  // by trace::Table
                          {stream_names(trace), csv_field, ""},
                          {trace.threads, csv_field, ""}};
  std::vector<std::array<std::string, kEditions>> origins;
  for (std::size_t device = 0; device < trace::device_count(trace); ++device)
    origins.push_back(origin_of(trace::provenance_of(trace, device)));
  const std::string predicted_by =
      (run.prediction ? csv_field(run.prediction->trace.provenance.profile) : std::string()) + ",";
  Blocks blocks(to);
  std::string& out = blocks.text;
  out = header();
  for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    const auto& origin = origins[std::min<std::size_t>(span.device, origins.size() - 1)];
    for (int edition = 1; edition <= kEditions; ++edition) {
      each_column<trace::Span>(edition, [&](const auto& member) {
        using Member = std::decay_t<decltype(member)>;
        if constexpr (Member::kTable != schema::kNoTable) {
          (out += tables[Member::kTable][member.of(span)]) += ',';
        } else {
          put_member(out, span, member);
        }
      });
      if (edition == 1) (out += csv_field(analysis::explain_wait(trace, span))) += ',';
      out += origin[static_cast<std::size_t>(edition - 1)];
      if (edition != 2) continue;
      const trace::Span* predicted = predicted_span(run, i);
      put_time(out, predicted != nullptr ? predicted->start : kAbsent);
      put_time(out, predicted != nullptr ? predicted->end : kAbsent);
      out += predicted_by;
    }
    end_line(out);
    blocks.pass_on();
  }
  blocks.pass_all_on();
}

std::string to_csv(const trace::Run& run) { return whole(write_csv, run); }

}  // namespace streamscope::output
