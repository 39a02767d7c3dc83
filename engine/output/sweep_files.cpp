#include "engine/output/sweep_files.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "engine/output/fields.h"

namespace streamscope::output {
namespace {

using Json = nlohmann::ordered_json;

std::string time(const std::optional<trace::Statistic>& of, Nanoseconds trace::Statistic::*which) {
  return of && known((*of).*which) ? std::to_string((*of).*which) : "";
}

std::string gigabytes(double rate) { return rate > 0 ? fmt::format("{:.3f}", rate / 1e9) : ""; }

std::string result_fields(const sweep::SweepResult& of) {
  const double rate = of.kernel_rate();
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}", of.runs, time(of.wall, &trace::Statistic::median),
                     time(of.wall, &trace::Statistic::spread), time(of.makespan, &trace::Statistic::median),
                     time(of.makespan, &trace::Statistic::spread), time(of.kernel, &trace::Statistic::median),
                     time(of.kernel, &trace::Statistic::spread), gigabytes(rate), gigabytes(of.copy_rate),
                     rate > 0 && of.copy_rate > 0 ? fmt::format("{:.4f}", rate / of.copy_rate) : "",
                     of.overlap ? fmt::format("{:.4f}", *of.overlap) : "",
                     of.observer_effect ? fmt::format("{:.4f}", of.observer_effect->median) : "",
                     of.verified ? (*of.verified ? "true" : "false") : "");
}

// A whole number as a number, all else as text.
Json value_object(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? Json(number) : Json(text);
}

Json positive(double value) { return value > 0 ? Json(value) : Json(nullptr); }

void put_result(Json& out, const std::optional<sweep::SweepResult>& of) {
  const sweep::SweepResult none;
  const sweep::SweepResult& from = of ? *of : none;
  const double rate = from.kernel_rate();
  out["runs"] = from.runs;
  out["wall_ns"] = statistic_object(from.wall);
  out["makespan_ns"] = statistic_object(from.makespan);
  out["kernel_ns"] = statistic_object(from.kernel);
  out["kernel_bytes"] = from.kernel_bytes > 0 ? Json(from.kernel_bytes) : Json(nullptr);
  out["kernel_bytes_per_s"] = positive(rate);
  out["device_copy_bytes_per_s"] = positive(from.copy_rate);
  out["share_of_copy_rate"] = from.copy_rate > 0 ? positive(rate / from.copy_rate) : Json(nullptr);
  out["overlap"] = from.overlap ? Json(*from.overlap) : Json(nullptr);
  out["observer_effect"] = from.observer_effect ? Json(from.observer_effect->median) : Json(nullptr);
  out["verified"] = from.verified ? Json(*from.verified) : Json(nullptr);
}

}  // namespace

std::string sweep_csv(const sweep::Sweep& sweep) {
  std::string out;
  for (const sweep::Axis& axis : sweep.axes) out += csv_field(axis.key) + ',';
  out +=
      "runs,wall_ns,wall_spread_ns,makespan_ns,makespan_spread_ns,kernel_ns,kernel_spread_ns,kernel_gb_per_s,"
      "copy_gb_per_s,share_of_copy,overlap,observer_effect,verified,same_as,why_not,provenance,device,driver,profile,"
      "date\n";
  const trace::Provenance& from = sweep.provenance;
  const std::string origin = fmt::format("{},{},{},{},{}\n", trace::name(from.kind), csv_field(from.device),
                                         csv_field(from.driver), csv_field(from.profile), csv_field(from.date));
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const sweep::SweepPoint& point = sweep.points[i];
    const std::vector<std::size_t> places = sweep::places_of(sweep.axes, i);
    for (std::size_t a = 0; a < places.size(); ++a) out += csv_field(sweep.axes[a].values[places[a]]) + ',';
    out += point.result ? result_fields(*point.result) : "0,,,,,,,,,,,,";
    // Lines are counted from 1, without the heading.
    out += fmt::format(",{},{},", point.same_as ? std::to_string(*point.same_as + 1) : "", csv_field(point.why_not));
    out += origin;
  }
  return out;
}

std::string sweep_json(const sweep::Sweep& sweep) {
  Json axes = Json::array(), points = Json::array();
  for (const sweep::Axis& axis : sweep.axes) {
    Json values = Json::array();
    for (const std::string& value : axis.values) values.push_back(value_object(value));
    axes.push_back({{"key", axis.key}, {"values", std::move(values)}});
  }
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const sweep::SweepPoint& point = sweep.points[i];
    const std::vector<std::size_t> places = sweep::places_of(sweep.axes, i);
    Json values = Json::object(), one;
    for (std::size_t a = 0; a < places.size(); ++a) {
      values[sweep.axes[a].key] = value_object(sweep.axes[a].values[places[a]]);
    }
    one["values"] = std::move(values);
    put_result(one, point.result);
    one["same_as"] = point.same_as ? Json(*point.same_as) : Json(nullptr);  // counted from 0, as JSON does
    one["why_not"] = point.why_not.empty() ? Json(nullptr) : Json(point.why_not);
    points.push_back(std::move(one));
  }
  Json note_kinds = Json::array();
  for (const trace::Note& note : sweep.notes) note_kinds.push_back(name_of(note.kind));
  const Json all = {{"schema", 1},
                    {"provenance", provenance_object(sweep.provenance)},
                    {"experiment", sweep.title},
                    {"settings", sweep.settings},
                    {"figure", name(sweep.figure)},
                    {"axes", std::move(axes)},
                    {"points", std::move(points)},
                    {"notes", trace::texts(sweep.notes)},
                    {"note_kinds", std::move(note_kinds)}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace streamscope::output
