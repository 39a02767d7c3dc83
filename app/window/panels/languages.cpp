#include "app/window/panels/languages.h"

namespace streamscope::window {
namespace {

// Not from the catalogue in use: who has come into a language that they cannot read is to read these.
struct Own {
  const char *name, *from_next_start;
};
constexpr std::array<Own, kSpoken.size()> kOwn = {{{"English", "From its next start on the window speaks English."},
                                                   {"中文", "下次启动起，窗口使用中文。"},
                                                   {"한국어", "다음 시작부터 창이 한국어로 표시됩니다."}}};

const Own& own(lesson::Language language) { return kOwn[static_cast<std::size_t>(language)]; }

}  // namespace

const char* own_name(lesson::Language language) { return own(language).name; }

lesson::Language language_of(const State& state) { return state.workspace.language.value_or(lesson::own_language()); }

Commands speak(lesson::Language language) {
  const bool now = language == lesson::own_language();
  return {command::SetLanguage{language}, command::Say{now ? "" : own(language).from_next_start}};
}

}  // namespace streamscope::window
