#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "engine/output/output.h"
#include "engine/output/record_json.h"
#include "engine/sweep/sweep.h"
#include "engine/trace/description.h"

namespace streamscope::output {
namespace {

using Json = nlohmann::ordered_json;

class PlainJson : public RecordJson<PlainJson> {
 public:
  using RecordJson::RecordJson;
};

// As every JSON file has it; null where there is none.
template <class T>
Json object_of(const T& of) {
  std::string text;
  PlainJson(text).value(of);
  return Json::parse(text);
}

std::string cells(const sweep::SweepFigure& of) {
  using enum analysis::FigureUnit;
  if (of.figure.unit == time) {
    return fmt::format("{},{},", of.runs ? fmt::format("{}", of.runs->median) : "",
                       of.runs && known(of.runs->spread) ? fmt::format("{}", of.runs->spread) : "");
  }
  if (!of.figure.value) return ",";
  return of.figure.unit == rate ? fmt::format("{:.3f},", *of.figure.value / 1e9)
                                : fmt::format("{:.4f},", *of.figure.value);
}

std::string heading(const sweep::SweepFigure& of) {
  return of.figure.unit == analysis::FigureUnit::time ? fmt::format("{0}_ns,{0}_spread_ns,", of.column)
                                                      : fmt::format("{},", of.column);
}

std::string columns(const sweep::SweepResult& of, std::string (*text)(const sweep::SweepFigure&)) {
  std::string out;
  for (const sweep::SweepFigure& each : sweep::figures(of)) {
    if (!each.column.empty()) out += text(each);
  }
  return out;
}

// A whole number as a number, all else as text.
Json value_object(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? Json(number) : Json(text);
}

Json figure_object(const sweep::SweepFigure& of) {
  if (of.figure.unit == analysis::FigureUnit::time) return object_of(of.runs);
  if (!of.figure.value) return nullptr;
  return of.figure.unit == analysis::FigureUnit::bytes ? Json(static_cast<std::uint64_t>(*of.figure.value))
                                                       : Json(*of.figure.value);
}

}  // namespace

std::string sweep_csv(const sweep::Sweep& sweep) {
  std::string out;
  for (const sweep::Axis& axis : sweep.axes) out += csv_field(axis.key) + ',';
  out += "runs," + columns({}, heading) + "verified,same_as,why_not,provenance,device,driver,profile,date,engine\n";
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const sweep::SweepPoint& point = sweep.points[i];
    const std::vector<std::size_t> places = sweep::places_of(sweep.axes, i);
    for (std::size_t a = 0; a < places.size(); ++a) out += csv_field(sweep.axes[a].values[places[a]]) + ',';
    const sweep::SweepResult result = point.result.value_or(sweep::SweepResult{});
    // Lines are counted from 1, without the heading.
    out += fmt::format("{},{}{},{},{},", result.runs, columns(result, cells),
                       result.verified ? (*result.verified ? "true" : "false") : "",
                       point.same_as ? std::to_string(*point.same_as + 1) : "", csv_field(point.why_not));
    // Engines may have different devices.
    const trace::Provenance& from = point.result && !result.engine.empty() ? result.provenance : sweep.provenance;
    out += fmt::format("{},{},{},{},{},{}\n", trace::name(from.kind), csv_field(from.device), csv_field(from.driver),
                       csv_field(from.profile), csv_field(sweep.provenance.date), csv_field(result.engine));
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
    const sweep::SweepResult result = point.result.value_or(sweep::SweepResult{});
    one["runs"] = result.runs;
    for (const sweep::SweepFigure& each : sweep::figures(result)) one[each.figure.key] = figure_object(each);
    one["verified"] = result.verified ? Json(*result.verified) : Json(nullptr);
    one["same_as"] = point.same_as ? Json(*point.same_as) : Json(nullptr);  // counted from 0, as JSON does
    one["engine"] = result.engine.empty() ? Json(nullptr) : Json(result.engine);
    one["device"] = result.engine.empty() ? Json(nullptr) : Json(result.provenance.device);
    one["why_not"] = point.why_not.empty() ? Json(nullptr) : Json(point.why_not);
    points.push_back(std::move(one));
  }
  Json note_kinds = Json::array();
  for (const trace::Note& note : sweep.notes) note_kinds.push_back(name_of(note.kind));
  const Json all = {{"schema", 1},
                    {"provenance", object_of(sweep.provenance)},
                    {"experiment", sweep.title},
                    {"settings", sweep.settings},
                    {"figure", sweep.figure},
                    {"axes", std::move(axes)},
                    {"points", std::move(points)},
                    {"notes", trace::texts(sweep.notes)},
                    {"note_kinds", std::move(note_kinds)}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace streamscope::output
