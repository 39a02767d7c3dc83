#include "app/window/state/help.h"

#include <utility>

namespace streamscope::window {
namespace {

struct HelpUpdate {
  Help& help;

  void operator()(const command::AskHelp&) {
    help.asked = true;
    help.answer.reset();
  }
  void operator()(const command::AnswerHelp& c) {
    if (help.asked && (!help.answer || c.at_cursor)) help.answer = c;
  }
  // Where nothing answers, F1 opens all there is, and closes it again.
  void operator()(const command::SettleHelp&) {
    if (!std::exchange(help.asked, false)) return;
    const auto answer = std::exchange(help.answer, std::nullopt);
    if (!answer && help.open)
      (*this)(command::CloseHelp{});
    else
      (*this)(command::ShowHelp{answer ? answer->topic : Topic{}});
  }
  void operator()(const command::ShowHelp& c) {
    if (help.open && (help.topic != c.topic || !help.search.empty())) help.before.push_back({help.topic, help.search});
    help.topic = c.topic;
    help.search.clear();
    help.open = true;
  }
  void operator()(const command::SearchHelp& c) { help.search = c.words; }
  void operator()(const command::HelpBack&) {
    if (!std::exchange(help.search, {}).empty() || help.before.empty()) return;
    help.topic = help.before.back().topic;
    help.search = help.before.back().search;
    help.before.pop_back();
  }
  void operator()(const command::CloseHelp&) { help = Help{}; }
};

}  // namespace

void update(Help& help, const HelpCommand& command) { std::visit(HelpUpdate{help}, command); }

}  // namespace streamscope::window
