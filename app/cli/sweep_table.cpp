// A sweep in words: its figures, and the table for a person at a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/sweep_table.h"
#include "app/cli/terminal.h"
#include "app/timeline/provenance.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::cli {
namespace {

using Row = std::vector<std::string>;

// How many columns a terminal needs for it: letters, not bytes.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// All columns but the first stand to the right.
std::string in_columns(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string out;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blank(widths[i] - width_of(row[i]), ' ');
      out += i == 0 ? row[i] + (row.size() > 1 ? blank : "") : "  " + blank + row[i];
    }
    out += '\n';
  }
  return out;
}

std::string number(double value) {
  if (value >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, value >= 100 ? 1 : value >= 10 ? 2 : 3);
}

std::string cell(const sweep::Sweep& sweep, std::size_t point, const sweep::SweepUnit& unit) {
  const auto& result = sweep.points[point].result;
  const auto value = result ? sweep::figure_of(*result, sweep.figure).figure.value : std::nullopt;
  return value ? number(*value * unit.factor) : "-";
}

// Of a result its cells, each with the heading of the column.
std::vector<std::pair<std::string, std::string>> cells(const sweep::SweepResult& result, bool kernels) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const bool of_kernels : {true, false}) {
    for (const sweep::SweepFigure& each : sweep::figures(result)) {
      if (each.heading.empty() || each.of_kernels != of_kernels || (of_kernels && !kernels)) continue;
      const analysis::Figure& figure = each.figure;
      out.emplace_back(each.heading, !figure.value                               ? "-"
                                     : figure.unit == analysis::FigureUnit::rate ? number(*figure.value / 1e9)
                                                                                 : analysis::display(figure, 1));
      if (figure.unit != analysis::FigureUnit::time) continue;
      const bool spreads = each.runs && known(each.runs->spread);
      out.emplace_back(tr("spread"), spreads ? "±" + display_duration(each.runs->spread) : "-");
    }
  }
  return out;
}

std::string one_axis(const sweep::Sweep& sweep) {
  const bool kernels = std::any_of(sweep.points.begin(), sweep.points.end(), [](const sweep::SweepPoint& point) {
    return point.result && point.result->kernel_rate() > 0;
  });
  std::vector<Row> rows{{sweep.axes[0].key}};
  for (auto& [heading, text] : cells({}, kernels)) rows[0].push_back(std::move(heading));
  const bool engines = !sweep::engines_of(sweep).empty();
  if (engines) rows[0].push_back(tr("engine"));
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    Row row{printable_line(sweep.axes[0].values[i])};
    for (auto& [heading, text] : cells(sweep.points[i].result.value_or(sweep::SweepResult{}), kernels)) {
      row.push_back(std::move(text));
    }
    if (engines) row.push_back(printable_line(sweep.points[i].result ? sweep.points[i].result->engine : "-"));
    rows.push_back(std::move(row));
  }
  return in_columns(rows);
}

std::string more_axes(const sweep::Sweep& sweep) {
  const std::vector<sweep::Axis>& axes = sweep.axes;
  const sweep::SweepUnit unit = sweep::unit_of(sweep);
  const std::size_t deep = axes.size() > 2 ? axes[2].values.size() : 1;
  std::string out;
  for (std::size_t third = 0; third < deep; ++third) {
    if (axes.size() > 2) {
      out += fmt::format("{}{}={}\n", third > 0 ? "\n" : "", axes[2].key, printable_line(axes[2].values[third]));
    }
    std::vector<Row> rows{{axes[0].key}};
    for (const std::string& value : axes[1].values) rows[0].push_back(printable_line(value));
    for (std::size_t first = 0; first < axes[0].values.size(); ++first) {
      Row row{printable_line(axes[0].values[first])};
      for (std::size_t second = 0; second < axes[1].values.size(); ++second) {
        row.push_back(cell(sweep, (first * axes[1].values.size() + second) * deep + third, unit));
      }
      rows.push_back(std::move(row));
    }
    out += in_columns(rows);
  }
  return out;
}

}  // namespace

std::string sweep_table(const sweep::Sweep& sweep) {
  int fewest = 0, most = 0;
  for (const sweep::SweepPoint& point : sweep.points) {
    if (!point.result) continue;
    fewest = fewest == 0 ? point.result->runs : std::min(fewest, point.result->runs);
    most = std::max(most, point.result->runs);
  }
  const std::string runs = fewest == most ? fmt::format("{}", most) : tr("{} to {}", fewest, most);
  std::string out = fmt::format("{}\n{}  {}\n", printable_line(sweep.title), tr(trace::badge(sweep.provenance.kind)),
                                printable_line(timeline::provenance_text(sweep.provenance)));
  if (sweep.axes.size() == 1) {
    out += tr_n("median of {} run", "median of {} runs", most, runs) + "\n\n" + one_axis(sweep);
  } else {
    out += tr_n("{}, {}, median of {} run; across: {}", "{}, {}, median of {} runs; across: {}", most,
                sweep::figure_of({}, sweep.figure).figure.name, sweep::unit_of(sweep).name, runs, sweep.axes[1].key) +
           "\n\n" + more_axes(sweep);
  }
  if (const auto copy = sweep::copy_rate_of(sweep)) {
    out += tr("\nThe device's own copy, read and written: {} GB/s\n", number(*copy / 1e9));
  }
  const std::vector<std::string> remarks = sweep::sweep_remarks(sweep);
  if (!remarks.empty()) out += '\n';
  for (const std::string& remark : remarks) out += printable_line(remark) + '\n';
  return out;
}

}  // namespace streamscope::cli
