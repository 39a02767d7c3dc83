#include "app/window/panels/key_help.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/window/panels/actions.h"
#include "app/window/panels/word_rank.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// "Enter   O" are two keys.
std::vector<std::string> keys_of(std::string_view keys) {
  std::vector<std::string> out;
  while (!keys.empty()) {
    const std::size_t end = std::min(keys.find("   "), keys.size());
    out.emplace_back(keys.substr(0, end));
    keys.remove_prefix(std::min(end + 3, keys.size()));
  }
  return out;
}

help::Entry entry(std::string_view group, std::string_view title, std::vector<std::string> keys) {
  help::Entry entry{
      .kind = help::Kind::key, .of = std::string(tr(group)), .sentence = help::with_full_stop(std::string(tr(title)))};
  entry.word = keys.empty() ? std::string(tr(title)) : keys.front();
  if (!keys.empty()) entry.also.assign(keys.begin() + 1, keys.end());
  if (keys.empty()) entry.text = tr("It has no key: Ctrl Shift P lists all commands.");
  return entry;
}

}  // namespace

help::Entries key_help() {
  help::Entries out;
  for (const Action& action : actions()) out.push_back(entry(action.group, action.title, keys_of(action.keys)));
  for (const Gesture& gesture : mouse_gestures())
    out.push_back(entry(gesture.group, gesture.title, {std::string(tr(gesture.keys))}));
  return out;
}

const help::Entries& window_help() {
  static const help::Entries all = [] {
    help::Entries entries = help::all();
    help::Entries keys = key_help();
    entries.insert(entries.end(), std::make_move_iterator(keys.begin()), std::make_move_iterator(keys.end()));
    return entries;
  }();
  return all;
}

std::vector<const help::Entry*> found_help(std::string_view words) {
  std::vector<std::pair<int, const help::Entry*>> found;
  for (const help::Entry& each : window_help()) {
    const Findable what{
        .title = each.word, .name = {}, .keywords = {each.also, each.calls, each.keywords}, .sentence = each.sentence};
    if (const auto place = rank(what, words)) found.emplace_back(*place, &each);
  }
  std::ranges::stable_sort(found, {}, &std::pair<int, const help::Entry*>::first);
  std::vector<const help::Entry*> out;
  for (const auto& each : found) out.push_back(each.second);
  return out;
}

}  // namespace streamscope::window
