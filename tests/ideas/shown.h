// All that the product shows of one program: its run, on the model "h200" where nothing else is asked for, and the
// words about it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/timeline/tracks.h"
#include "engine/analysis/figures.h"
#include "engine/cuda_source/cuda_source.h"
#include "engine/program/read_program.h"
#include "engine/verdict/causes.h"
#include "tests/conformance/conformance.h"

namespace streamscope::ideas {

using conformance::Verdict;
using conformance::Which;

// The text is the program's.
using RunIt = std::function<Result<trace::Run>(const program::Program& program, const std::string& text)>;
Result<trace::Run> run_on_model(const program::Program& program, const std::string& text);

class Shown {
 public:
  // Where the program is refused, only refuses() says anything, and nothing is run.
  explicit Shown(const std::string& text, const RunIt& run = run_on_model);

  const std::string& wrong() const { return wrong_; }  // why it could not be run, where it is not refused; else empty
  ErrorKind why() const { return why_; }               // of that
  bool refused() const { return !refusal_.empty(); }
  const conformance::Observation& observation() const { return *observation_; }
  const program::Program& program() const { return program_; }
  const trace::Run& run() const { return run_; }
  const trace::Span& span(const Which& which) const { return observation_->span(which); }

  // The same, with all words left out: no idea may be seen there that rests on one.
  Shown silent() const;
  // The same, with all words taken for said: what is left are the relations between spans and what blocks record.
  Shown without_words() const;

  // A text of the picture contains these words: of the whole run; of the call or the execution of one operation, as
  // wide as the picture, which is selected; of the inside of a kernel, its first tiles.
  Verdict drawn(std::string_view words) const;
  Verdict drawn_at(const Which& which, std::string_view words) const;
  Verdict drawn_inside(const Which& which, std::string_view words) const;
  // Its bar on the host's row has the colour of what waits.
  Verdict drawn_as_wait(const Which& which) const;
  // A row beside the selected operation. Key "": the sentence on why it waited.
  Verdict fact(const Which& which, std::string_view key, std::string_view value) const;
  Verdict explained(const Which& which, std::string_view words) const { return fact(which, "", words); }
  // The part of its waiting that is drawn with this cause, of which another operation is the reason.
  Verdict waits(const Which& which, verdict::WaitCause cause, const Which& by) const;
  // The verdict names this cause of the run's time.
  Verdict blames(verdict::Cause cause) const;
  // The CUDA C++ that is generated: from that line; anywhere.
  Verdict in_cuda(const Which& which, std::string_view code) const;
  Verdict in_cuda(std::string_view code) const;
  // The check: at a line, "here" for an error.
  Verdict warns(std::string_view label, std::string_view words) const;
  Verdict refuses(std::string_view words) const;
  Verdict notes(std::string_view words) const;  // a note of the run

  // Of the tiles of a kernel's blocks more than half were copied while their block worked on another; or none was.
  Verdict tiles_overlap(const Which& which) const;
  Verdict tiles_take_turns(const Which& which) const;
  double share_waited(const Which& which) const;  // of its blocks' time
  // One of the run's figures, by its key in files, lies between these.
  Verdict figure(std::string_view key, double least, double most) const;

  std::string account() const;  // for messages: spans, waits, texts

 private:
  std::vector<std::string> texts(const timeline::Tracks& tracks, Nanoseconds from, Nanoseconds to,
                                 OperationIndex selected) const;
  Verdict among(const std::vector<std::string>& texts, std::string_view words, const std::string& where) const;
  std::uint32_t line_of(std::string_view label) const;

  enum class Words : std::uint8_t { asked, none, taken_for_said } words_ = Words::asked;
  std::string text_, wrong_, refusal_;
  ErrorKind why_ = ErrorKind::bad_input;
  program::Program program_;
  std::vector<program::Diagnostic> warnings_;
  trace::Run run_;
  std::shared_ptr<const conformance::Observation> observation_;
  std::shared_ptr<const timeline::Tracks> tracks_;
  std::vector<verdict::Evidence> evidence_;
  std::vector<analysis::Figure> figures_;
  cuda_source::CudaSource source_;
};

}  // namespace streamscope::ideas
