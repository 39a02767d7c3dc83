#include "app/draw/choose_tracks.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/timeline/span_text.h"
#include "engine/base/translate.h"

namespace streamscope::draw {
namespace {

constexpr std::size_t kMostListed = 24;
constexpr std::string_view kHeadingDot = " · ";

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

// Of one word in small letters, whatever the device.
bool names_of_any(std::string_view word, const timeline::Track& track) {
  switch (track.kind) {
    case timeline::TrackKind::host:
      if (word == "host" || word == "threads") return true;
      break;
    case timeline::TrackKind::stream:
      if (word == "streams" || word == "stream") return true;
      break;
    case timeline::TrackKind::engine:
      if (word == "engines" || word == "engine" || word == streamscope::name(device_engine(track.id).engine))
        return true;
      break;
    case timeline::TrackKind::inside: return word == "inside";
  }
  // A glob is for what stands below the heading: "*0" is for S0, and not for "S1, device 0".
  const std::string name = timeline::lower(track.name);
  return word == name || matches(word, track.label.empty() ? name : timeline::lower(track.label));
}

// "GPU 1 · NVIDIA H200", or what of it comes first. A glob that does not say so is for the tracks' own names: "*0".
bool names_heading(std::string_view word, std::string heading) {
  if (!word.starts_with("gpu")) return false;
  heading = timeline::lower(heading);
  return matches(word, heading) || matches(word, heading.substr(0, heading.find(kHeadingDot)));
}

bool names(const std::string& asked, const timeline::Tracks& of, const timeline::Track& track) {
  const std::string word = timeline::lower(asked);
  if (names_of_any(word, track)) return true;
  const bool is_below_device = track.kind == timeline::TrackKind::stream || track.kind == timeline::TrackKind::engine;
  if (!is_below_device || track.device >= of.devices.size()) return false;
  const std::size_t at = word.rfind('@');
  if (at == word.npos) return names_heading(word, of.devices[track.device]);
  return word.substr(at + 1) == std::to_string(track.device) && names_of_any(word.substr(0, at), track);
}

// As they can be written: a name with its device has a comma.
void add_names(const timeline::Tracks& of, std::vector<std::string>& all) {
  const auto add = [&](const std::string& name) {
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);  // two runs have most in common
  };
  for (const timeline::Track& track : of.tracks)
    add(of.devices.size() > 1 && !track.label.empty() ? track.label : track.name);
  if (of.devices.size() < 2) return;
  for (const std::string& heading : of.devices) add(heading.substr(0, heading.find(kHeadingDot)));
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
           std::none_of(words.begin(), words.end(),
                        [&](const std::string& word) { return names(word, tracks, track); });
  });
}

Result<void> check_tracks(std::initializer_list<const timeline::Tracks*> runs, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    std::vector<std::string> there;
    bool found = false;
    for (const timeline::Tracks* run : runs) {
      if (run == nullptr) continue;
      found |= std::any_of(run->tracks.begin(), run->tracks.end(),
                           [&](const timeline::Track& track) { return names(word, *run, track); });
      add_names(*run, there);
    }
    if (found) continue;
    if (there.empty()) return fail(ErrorKind::bad_input, tr("no track is '{}': the run has none at all", word));
    const std::size_t listed = std::min(there.size(), kMostListed);
    std::string all =
        fmt::format("{}", fmt::join(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(listed), ", "));
    if (there.size() > listed) all += tr(" and {} more", there.size() - listed);
    return fail(ErrorKind::bad_input,
                tr("no track is '{}'; there are {}; or write host, streams or engines", word, all));
  }
  return {};
}

}  // namespace streamscope::draw
