// Entries of what a run is watched with and what it leaves behind: instruments, reasons for waits, figures; and of a
// model's numbers.
#include <fmt/format.h>

#include <utility>

#include "app/help/help.h"
#include "app/help/words.h"
#include "engine/analysis/figures.h"
#include "engine/base/translate.h"
#include "engine/device/device.h"
#include "engine/device/model/profile/profile_numbers.h"
#include "engine/trace/description.h"
#include "engine/trace/wait_reasons.h"

namespace streamscope::help {
namespace {

// Whose members are written under keys of their own.
template <class Record>
void add_members(Entries& out, std::string_view of) {
  schema::each_member<Record>([&](const auto& member) {
    using Member = std::decay_t<decltype(member)>;
    if constexpr (Member::kWhere != schema::Where::messages) {
      constexpr std::string_view kTime = "_ns";
      const bool time = member.key.ends_with(kTime);
      out.push_back({.kind = Kind::figure,
                     .word = std::string(member.key),
                     .also = time ? std::vector{std::string(member.key.substr(0, member.key.size() - kTime.size()))}
                                  : std::vector<std::string>{},
                     .of = std::string(of),
                     .sentence = as_sentence(tr(member.meaning)),
                     .unit = std::string(member.unit == "1" ? "" : member.unit)});
    }
  });
}

std::string unit_of(analysis::FigureUnit unit) {
  switch (unit) {
    case analysis::FigureUnit::time: return "ns";
    case analysis::FigureUnit::share: return tr("share of the makespan, from 0 to 1");
    case analysis::FigureUnit::ratio: return tr("times");
    case analysis::FigureUnit::bytes: return "B";
    case analysis::FigureUnit::rate: return "B/s";
  }
  return {};
}

std::string limits(const model::ProfileNumber& number) {
  if (number.table != nullptr) return tr("a list of points, size and time");
  switch (number.kind) {
    case model::NumberKind::time: return tr("a time, such as 1500ns");
    case model::NumberKind::yes: return "true, false";
    case model::NumberKind::queue: return fmt::format("{}", fmt::join(kNames<model::CopyQueue>, ", "));
    default: break;
  }
  const model::Scale scale = model::scale_of(number.kind);
  return tr("{:.6g}{} to {:.6g}{}", number.least / scale.one, scale.unit, number.most / scale.one, scale.unit);
}

}  // namespace

Entries instruments() {
  Entries out;
  for (const device::Instrument each : device::all_instruments()) {
    const device::InstrumentInfo& about = device::about(each);
    out.push_back({.kind = Kind::instrument,
                   .word = std::string(device::name(each)),
                   .also = {fmt::format("instrument {}", device::name(each))},
                   .sentence = as_sentence(tr(about.brief)),
                   .text = as_sentence(tr(about.meaning)),
                   .example = fmt::format("streamscope run four-streams --instrument {}", device::name(each)),
                   .see = {"--instrument", "observer effect"}});
    if (!about.of_models)
      out.back().text += std::string(" ") + tr("A model has no such instrument: the example needs a GPU.");
  }
  return out;
}

Entries wait_reasons() {
  Entries out;
  for (std::size_t i = 0; i < kNames<trace::WaitReason>.size(); ++i) {
    const auto reason = static_cast<trace::WaitReason>(i);
    const trace::WaitReasonHelp& help = trace::help(reason);
    out.push_back({.kind = Kind::wait_reason,
                   .word = std::string(trace::name(reason)),
                   .sentence = std::string(tr(help.sentence)),
                   .text = help.remedy.empty() ? std::string() : std::string(tr(help.remedy)),
                   .see = {"waiting", "reason"}});
  }
  return out;
}

Entries figures() {
  Entries out;
  for (const analysis::Figure& each : analysis::figures(analysis::Analysis{})) {
    out.push_back({.kind = Kind::figure,
                   .word = std::string(each.key),
                   .also = {std::string(tr(each.name))},
                   .sentence = std::string(tr(each.meaning)),
                   .unit = unit_of(each.unit)});
  }
  add_members<trace::Run>(out, "run");
  add_members<trace::Span>(out, "spans");
  add_members<trace::KernelFacts>(out, "kernels");
  add_members<trace::StageBlock>(out, "stages");
  add_members<trace::Provenance>(out, "provenance");
  add_members<trace::Prediction>(out, "prediction");
  return out;
}

Entries profile() {
  Entries out;
  for (const model::ProfileNumber& number : model::profile_numbers()) {
    out.push_back({.kind = Kind::profile_key,
                   .word = std::string(number.path),
                   .sentence = as_sentence(tr(number.meaning)),
                   .unit = number.kind == model::NumberKind::size ? "B" : "",
                   .range = limits(number),
                   .see = {"--device", "profile"}});
  }
  // What-ifs that change many numbers in place of one.
  for (const model::LinkRate& link : model::link_rates()) {
    out.push_back({.kind = Kind::profile_key,
                   .word = std::string(link.key),
                   .sentence = std::string(tr(link.meaning)),
                   .see = {"--device", "profile"}});
  }
  return out;
}

}  // namespace streamscope::help
