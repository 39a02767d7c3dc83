#include <iterator>
#include <utility>

#include "app/help/glossary.h"
#include "app/help/help.h"

namespace streamscope::help {

const Entries& all() {
  static const Entries kAll = [] {
    Entries out;
    for (Entries (*part)() :
         {language, experiment, instruments, wait_reasons, causes, figures, profile, terms, shipped}) {
      Entries some = part();
      out.insert(out.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    }
    add_other_languages(out);
    for (Entry& entry : out)
      for (std::string& word : entry.see) word = title_of_term(word);
    return out;
  }();
  return kAll;
}

}  // namespace streamscope::help
