// The help that is open, and F1's question what is under the cursor.
//
// F1 only asks: while the next frame is drawn, whatever is under the mouse answers (panels/help_answer.h), and so does
// the editor where the cursor is in it, which counts more. At the end of the frame the question is settled.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/help/entry.h"

namespace streamscope::window {

struct Topic {
  std::string word = {};                // empty: all there is
  std::optional<help::Kind> kind = {};  // of the word's meanings this one, where there is one; none: all of them
  friend bool operator==(const Topic&, const Topic&) = default;
};

namespace command {
struct AskHelp {};
struct AnswerHelp {
  Topic topic;
  bool at_cursor = false;  // of the editor
};
struct SettleHelp {};  // nobody is left to answer
struct ShowHelp {
  Topic topic;
};
struct SearchHelp {
  std::string words;
};
struct HelpBack {};  // to the topic before
struct CloseHelp {};
}  // namespace command

struct Help {
  bool open = false, asked = false;
  std::optional<command::AnswerHelp> answer;
  Topic topic;
  struct Seen {
    Topic topic;
    std::string search;
  };
  std::vector<Seen> before;  // the last one is the newest
  std::string search;
};

using HelpCommand = std::variant<command::AskHelp, command::AnswerHelp, command::SettleHelp, command::ShowHelp,
                                 command::SearchHelp, command::HelpBack, command::CloseHelp>;
void update(Help& help, const HelpCommand& command);

}  // namespace streamscope::window
