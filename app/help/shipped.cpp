// Entries of the experiments and programs that come with the program.
#include "engine/experiment/shipped.h"

#include <algorithm>
#include <utility>

#include "app/help/help.h"
#include "engine/base/translate.h"

namespace streamscope::help {
namespace {

Entry entry_of(const experiment::Shipped& file) {
  Entry entry{.kind = file.path.extension() == ".toml" ? Kind::experiment : Kind::program,
              .word = file.name,
              .sentence = file.sentence.empty() ? std::string(tr("It comes with the program.")) : file.sentence,
              .example = "streamscope run " + file.name};
  if (file.title != file.name) entry.also.push_back(file.title);
  const auto& [en, zh, ko] = file.keywords;
  for (const std::vector<std::string>* words : {&en, &zh, &ko})
    entry.keywords.insert(entry.keywords.end(), words->begin(), words->end());
  const std::size_t rest = file.about.find_first_not_of(" \n", file.sentence.size());
  if (rest != std::string::npos) entry.text = file.about.substr(rest);
  return entry;
}

}  // namespace

// Experiments first.
Entries shipped() {
  Entries out;
  for (const experiment::Shipped& each : experiment::shipped()) out.push_back(entry_of(each));
  std::ranges::stable_sort(out, {}, &Entry::kind);
  return out;
}

}  // namespace streamscope::help
