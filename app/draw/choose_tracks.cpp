#include "app/draw/choose_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/timeline/span_text.h"
#include "engine/base/translate.h"

namespace streamscope::draw {
namespace {

constexpr std::size_t kMostListed = 24;

// '*' is any letters, '?' one byte. In time of the product of both lengths at the most.
bool matches(std::string_view glob, std::string_view text) {
  std::size_t g = 0, t = 0, star = glob.npos, from = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      from = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g, ++t;
    } else if (star != glob.npos) {
      g = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

bool names(const std::string& word, const timeline::Track& track) {
  const std::string asked = timeline::lower(word), name = timeline::lower(track.name);
  switch (track.kind) {
    case timeline::TrackKind::host:
      if (asked == "host" || asked == "threads") return true;
      break;
    case timeline::TrackKind::stream:
      if (asked == "streams" || asked == "stream") return true;
      break;
    case timeline::TrackKind::engine:
      if (asked == "engines" || asked == "engine" || asked == streamscope::name(device_engine(track.id).engine))
        return true;
      break;
    case timeline::TrackKind::inside: return asked == "inside";
  }
  return matches(asked, name);
}

}  // namespace

std::vector<std::string> track_words(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string_view word = list.substr(0, end);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    if (!word.empty()) out.emplace_back(word);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return out;
}

void choose_tracks(timeline::Tracks& tracks, const std::vector<std::string>& words) {
  if (words.empty()) return;
  std::erase_if(tracks.tracks, [&](const timeline::Track& track) {
    return track.kind != timeline::TrackKind::inside &&
           std::none_of(words.begin(), words.end(), [&](const std::string& word) { return names(word, track); });
  });
}

Result<void> check_tracks(std::initializer_list<const timeline::Tracks*> runs, const std::vector<std::string>& words) {
  std::vector<const timeline::Track*> there;
  for (const timeline::Tracks* run : runs)
    if (run != nullptr)
      for (const timeline::Track& track : run->tracks) there.push_back(&track);
  for (const std::string& word : words) {
    if (std::any_of(there.begin(), there.end(), [&](const timeline::Track* track) { return names(word, *track); }))
      continue;
    std::set<std::string_view> distinct;  // two runs have most of their names in common
    std::string all;
    for (const timeline::Track* track : there)
      if (distinct.insert(track->name).second && distinct.size() <= kMostListed)
        all += (all.empty() ? "" : ", ") + track->name;
    if (distinct.size() > kMostListed) all += tr(" and {} more", distinct.size() - kMostListed);
    return fail(ErrorKind::bad_input,
                all.empty() ? tr("no track is '{}': the run has none at all", word)
                            : tr("no track is '{}'; there are {}; or write host, streams or engines", word, all));
  }
  return {};
}

}  // namespace streamscope::draw
