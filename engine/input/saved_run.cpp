#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "engine/base/translate.h"
#include "engine/input/json.h"
#include "engine/input/record_reader.h"
#include "engine/trace/description.h"
#include "engine/trace/wrong_stages.h"

namespace streamscope::input {
namespace {

constexpr std::size_t kSpansPerProgress = 4096;

// Numbers the texts of a table in the order in which they are first met.
class NameIndex {
 public:
  std::uint32_t number(std::string text) {
    const auto [at, added] = numbers_.try_emplace(std::move(text), static_cast<std::uint32_t>(list_.size()));
    if (added) list_.push_back(&at->first);
    return at->second;
  }
  // Appends to `table`, which the file has, what it lacks; gives for each of our numbers the index in `table`.
  std::vector<std::uint32_t> merge_into(std::vector<std::string>& table) const {
    std::unordered_map<std::string, std::uint32_t> positions;
    for (std::size_t i = 0; i < table.size(); ++i) positions.emplace(table[i], static_cast<std::uint32_t>(i));
    std::vector<std::uint32_t> numbers;
    for (const std::string* text : list_) {
      const auto [at, missing] = positions.emplace(*text, static_cast<std::uint32_t>(table.size()));
      if (missing) table.push_back(*text);
      numbers.push_back(at->second);
    }
    return numbers;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> list_;
};

class SavedRun : RecordReader<SavedRun> {
 public:
  SavedRun(std::string_view text, const std::string& file, std::size_t offset, const ReadControl& control)
      : RecordReader(text, file), text_(text), file_(file), control_(control) {
    json_.seek(offset);
  }

  Result<trace::Run> read() && {
    trace::Run run;
    from_ = &run.trace.provenance;
    const std::size_t begin = json_.offset();
    RecordReader::read(run);
    if (stopped_) return cancelled(file_);
    // A model's times must never be taken for measured ones, nor the other way round.
    if (!says_kind_)
      json_.fail_at(begin,
                    tr("it does not say where its times come from: the \"kind\" of its \"provenance\" is missing"));
    complete(run.trace, &run.alone);
    give_kinds(run.notes);
    // Files of earlier versions have no kinds: where the data differs was the last note.
    if (kinds_.empty() && run.verified == false && !run.notes.empty())
      run.notes.back().kind = trace::NoteKind::wrong_data;
    if (run.prediction && !json_.failed() && !same_operations(run.trace, run.prediction->trace))
      json_.fail_at(prediction_at_, tr("the prediction's spans are not those of the run"));
    if (json_.failed()) return fail(json_.error());
    if (const std::string unknown = unknown_members(); !unknown.empty())
      run.notes.push_back(
          {trace::NoteKind::file, tr("Members of the file that are not known here were passed over: {}.", unknown)});
    return run;
  }

 private:
  friend RecordReader;
  using Tables = std::array<NameIndex, 3>;  // by trace::Table

  using RecordReader::read;
  using RecordReader::read_key;
  bool read_key(std::string_view key, trace::Run& run) {
    if (key == "note_kinds") return read_kinds();
    if (key != "schema") return RecordReader::read_key(key, run);
    const std::size_t at = json_.offset();
    int version = 0;
    read(version);
    if (version != 1) json_.fail_at(at, tr("this schema is of another version of streamscope; 1 can be read"));
    return true;
  }
  bool read_key(std::string_view key, trace::Provenance& provenance) {
    says_kind_ |= &provenance == from_ && key == "kind" && json_.peek() == JsonReader::Kind::string;
    return RecordReader::read_key(key, provenance);
  }
  void read(trace::Prediction& prediction) {
    prediction_at_ = json_.offset();
    prediction.trace.provenance.kind = trace::Provenance::Kind::model;
    Tables of_run = std::exchange(tables_, {});
    std::vector<trace::NoteKind> kinds_of_run = std::exchange(kinds_, {});
    RecordReader::read(prediction);
    complete(prediction.trace);
    give_kinds(prediction.notes);
    tables_ = std::move(of_run);
    kinds_ = std::move(kinds_of_run);
  }
  bool read_key(std::string_view key, trace::Prediction& prediction) {
    return key == "note_kinds" ? read_kinds() : RecordReader::read_key(key, prediction);
  }
  void read(trace::Note& note) { read(note.text); }
  // A kind of a later version is any other.
  bool read_kinds() {
    if (json_.peek() == JsonReader::Kind::null) return true;
    kinds_.clear();
    json_.array([&] { kinds_.push_back(by_name<trace::NoteKind>(text()).value_or(trace::NoteKind::other)); });
    return true;
  }
  void give_kinds(trace::Notes& notes) const {
    for (std::size_t i = 0; i < std::min(kinds_.size(), notes.size()); ++i) notes[i].kind = kinds_[i];
    for (trace::Note& note : notes)
      if (kinds_.empty() && note.text.starts_with("There is no prediction: "))
        note.kind = trace::NoteKind::no_prediction;
  }
  // Its spans.
  void read(trace::Trace& trace) {
    trace.spans.clear();
    json_.peek();
    const std::size_t begin = json_.offset();
    json_.array([&] {
      if (!has_text_for(trace.spans, begin)) return;
      read(trace.spans.emplace_back());
      if (json_.failed() || trace.spans.size() % kSpansPerProgress != 0) return;
      control_.read(json_.offset(), text_.size());
      if (!control_.stopped()) return;
      stopped_ = true;
      json_.fail_here("stopped");
    });
  }
  std::uint32_t number(int table, std::string text) {
    return tables_[static_cast<std::size_t>(table)].number(std::move(text));
  }

  // The tables come after the spans in the file, so the spans' numbers are corrected at the end.
  void complete(trace::Trace& trace, std::vector<trace::IsolatedTime>* alone = nullptr) {
    std::vector<std::string> streams;
    for (const trace::StreamInfo& each : trace.streams) streams.push_back(each.name);
    const auto names = tables_[trace::kNameTable].merge_into(trace.names),
               threads = tables_[trace::kThreadTable].merge_into(trace.threads),
               lanes = tables_[trace::kStreamTable].merge_into(streams);
    for (std::size_t i = trace.streams.size(); i < streams.size(); ++i) trace.streams.push_back({streams[i], false, 0});
    for (trace::Span& span : trace.spans) {
      if (span.name < names.size()) span.name = names[span.name];
      if (span.thread < threads.size()) span.thread = threads[span.thread];
      if (span.stream < lanes.size()) span.stream = lanes[span.stream];
    }
    for (trace::LaunchShape& launch : trace.launches)
      if (launch.name < names.size()) launch.name = names[launch.name];
    if (alone != nullptr) {
      for (trace::IsolatedTime& time : *alone)
        if (time.of.name < names.size()) time.of.name = names[time.of.name];
      std::ranges::sort(*alone, {}, &trace::IsolatedTime::of);
    }
    // Files of earlier versions have blocking copies and callbacks by their name only.
    for (trace::Span& span : trace.spans) {
      if (span.name >= trace.names.size()) continue;
      if (span.kind == OperationKind::h2d || span.kind == OperationKind::d2h)
        span.blocking |= trace.names[span.name].starts_with("cudaMemcpy ");
      if (span.kind == OperationKind::hostfn) span.callback |= trace.names[span.name] == "cudaStreamAddCallback";
    }
    if (const auto wrong = trace::wrong_devices(trace)) json_.fail_here(*wrong);
    if (const auto wrong = trace::wrong_stages(trace)) json_.fail_here(*wrong);
    const auto by_operation = [](const auto& a, const auto& b) { return a.operation < b.operation; };
    std::stable_sort(trace.spans.begin(), trace.spans.end(), by_operation);
    std::stable_sort(trace.kernels.begin(), trace.kernels.end(), by_operation);
    std::stable_sort(trace.launches.begin(), trace.launches.end(), trace::comes_before);
    std::stable_sort(trace.answers.polls.begin(), trace.answers.polls.end(), by_operation);
    std::stable_sort(trace.stages.blocks.begin(), trace.stages.blocks.end(),
                     [](const trace::StageBlock& a, const trace::StageBlock& b) {
                       return std::pair(a.operation, a.block) < std::pair(b.operation, b.block);
                     });
  }

  static bool same_operations(const trace::Trace& trace, const trace::Trace& predicted) {
    return std::equal(trace.spans.begin(), trace.spans.end(), predicted.spans.begin(), predicted.spans.end(),
                      [](const trace::Span& a, const trace::Span& b) { return a.operation == b.operation; });
  }

  std::string_view text_;
  const std::string& file_;
  const ReadControl& control_;
  Tables tables_;
  std::vector<trace::NoteKind> kinds_;  // of the notes
  std::size_t prediction_at_ = 0;
  const trace::Provenance* from_ = nullptr;  // the run's own
  bool says_kind_ = false, stopped_ = false;
};

}  // namespace

Result<trace::Run> read_saved_run(std::string_view text, const std::string& file, std::size_t offset,
                                  const ReadControl& control) {
  return SavedRun(text, file, offset, control).read();
}

}  // namespace streamscope::input
