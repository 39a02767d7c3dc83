#include "engine/program/check/operations.h"

#include <fmt/format.h>

#include "engine/program/check/maker.h"
#include "engine/program/syntax/cursor.h"

namespace streamscope::program {

using syntax::Verb;

std::optional<Operation> Maker::make() {
  std::optional<StreamId> stream;
  bool good = true;
  if (statement_.stream) {
    const Named* named = use(*statement_.stream, static_cast<NameKinds>(NameKind::stream));
    if (named) stream = StreamId{named->id};
    good = named != nullptr;
  }
  auto made = work();  // also after an error in the stream's name, for its own errors
  if (!made || !good) return std::nullopt;
  return Operation{std::move(*made), stream, x_.thread, statement_.place.line};
}

Maker::Made Maker::work() {
  switch (statement_.verb) {
    case Verb::h2d: return copy(Direction::h2d);
    case Verb::d2h: return copy(Direction::d2h);
    case Verb::d2d: return copy_on_device();
    case Verb::memset: return memset();
    case Verb::spin: return spin();
    case Verb::axpb: return axpb();
    case Verb::tiles: return tiles();
    case Verb::attention: return attention();
    case Verb::record: return record();
    case Verb::wait: return wait();
    case Verb::hostfn: return lasting<op::HostFunction>();
    case Verb::work: return lasting<op::Work>();
    case Verb::sync: return sync();
    case Verb::poll: return poll();
    case Verb::memcpy: return blocking_copy();
    case Verb::malloc: return malloc(false);
    case Verb::free: return free(false);
    case Verb::prefetch: return prefetch();
    case Verb::malloc_async: return malloc(true);
    case Verb::free_async: return free(true);
    case Verb::launch: return launch();
    case Verb::join: return join();
    case Verb::touch: return touch();
    default: return std::nullopt;
  }
}

Named* Maker::use(const syntax::Name& name, NameKinds expected) {
  const auto text = x_.scope.text(name);
  if (!text) return nullptr;
  Named* named = x_.find(*text);
  if (!named) {
    if (!x_.names.forgiven(*text)) x_.names.unknown(name, *text, expected, x_.scope);
    return nullptr;
  }
  if ((static_cast<NameKinds>(named->kind) & expected) == 0) {
    mismatch(name, *text, *named, expected);
    return nullptr;
  }
  return named;
}

void Maker::mismatch(const syntax::Name& name, std::string_view text, const Named& named, NameKinds expected) {
  const std::string where = named.place.line == 0 ? "" : fmt::format(" (line {})", named.place.line);
  x_.scope.error(name, fmt::format("'{}' is {}{}, expected {}", shown(text), words(static_cast<NameKinds>(named.kind)),
                                   where, words(expected)));
}

std::optional<Nanoseconds> Maker::lasts(const syntax::Number& number) {
  return within(x_, number, "a duration in nanoseconds (ten minutes at most)", 0, kLongestDuration);
}

std::optional<Operation> make_operation(Expansion& expansion, const syntax::Statement& statement) {
  return Maker(expansion, statement).make();
}

}  // namespace streamscope::program
