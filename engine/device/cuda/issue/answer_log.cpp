#include "engine/device/cuda/issue/answer_log.h"

namespace streamscope::cuda {

AnswerLog::AnswerLog(const program::Program& program) {
  for (OperationIndex i = 0; i < program.operations.size(); ++i) {
    const program::Work& work = program.operations[i].work;
    if (std::holds_alternative<program::op::Attributes>(work)) streams_.push_back({.operation = i});
    if (std::holds_alternative<program::op::CaptureInfo>(work)) captures_.push_back({.operation = i});
    if (program::kind(work) == OperationKind::poll && polled_.size() < trace::kMostPollsKept) polled_.push_back(i);
  }
  polls_.resize(polled_.size());
  for (OfPoll& one : polls_) one.reserve(trace::kMostAnswers);
}

void AnswerLog::reset() {
  for (OfPoll& one : polls_) one.clear();
}

AnswerLog::OfPoll* AnswerLog::poll(OperationIndex operation) {
  const auto at = std::ranges::lower_bound(polled_, operation);
  return at == polled_.end() || *at != operation ? nullptr : &polls_[static_cast<std::size_t>(at - polled_.begin())];
}

trace::StreamAttributes* AnswerLog::attributes(OperationIndex operation) {
  const auto at = std::ranges::lower_bound(streams_, operation, {}, &trace::StreamAttributes::operation);
  return at == streams_.end() || at->operation != operation ? nullptr : &*at;
}

trace::CaptureAnswer* AnswerLog::capture(OperationIndex operation) {
  const auto at = std::ranges::lower_bound(captures_, operation, {}, &trace::CaptureAnswer::operation);
  return at == captures_.end() || at->operation != operation ? nullptr : &*at;
}

trace::Answers AnswerLog::on_axis(Nanoseconds zero) const {
  trace::Answers all{{}, streams_, captures_};
  for (const OfPoll& one : polls_) {
    for (const trace::PollAnswer& answer : one) {
      all.polls.push_back(
          {answer.operation, answer.at - zero, known(answer.worked_until) ? answer.worked_until - zero : kAbsent});
    }
  }
  return all;
}

}  // namespace streamscope::cuda
