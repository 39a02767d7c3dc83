#include "engine/program/check/operation_builder.h"

#include <fmt/format.h>

#include "engine/base/translate.h"
#include "engine/program/limits.h"
#include "engine/program/syntax/characters.h"

namespace streamscope::program {

using syntax::Verb;

std::optional<Operation> OperationBuilder::build() {
  std::optional<StreamId> stream;
  bool good = true;
  if (statement_.stream) {
    const Symbol* symbol = use(*statement_.stream, SymbolKind::stream);
    if (symbol) stream = StreamId{symbol->id};
    good = symbol != nullptr;
  }
  // A blocking copy has a stream only where that is not the legacy default stream of the first device.
  const bool other_stream = expansion_.program.default_per_thread || expansion_.device != DeviceId{};
  const bool blocking = statement_.verb == Verb::memcpy && other_stream;
  if (statement_.verb == Verb::memset_now || statement_.verb == Verb::d2d_now || blocking)
    stream = StreamId{expansion_.find("default")->id};
  if (good) device_ = stream ? expansion_.program.streams[stream->value].device : expansion_.device;
  auto built = work();  // even after an error in the stream's name, to report further errors
  if (!built || !good) return std::nullopt;
  return Operation{std::move(*built), stream, expansion_.thread, statement_.location.line};
}

OperationBuilder::Built OperationBuilder::work() {
  switch (statement_.verb) {
    case Verb::h2d: return copy(Direction::h2d, false, 0);
    case Verb::d2h: return copy(Direction::d2h, false, 0);
    case Verb::d2d: return copy_on_device();
    case Verb::peer: return peer_copy();
    case Verb::device: return set_device();
    case Verb::peer_access: return peer_access();
    case Verb::memset: return memset();
    case Verb::kernel: return kernel();
    case Verb::own: return own();
    case Verb::record: return record();
    case Verb::wait: return wait();
    case Verb::hostfn: return lasting<op::HostFunction>();
    case Verb::callback: return callback();
    case Verb::work: return lasting<op::HostWork>();
    case Verb::sync: return sync();
    case Verb::poll: return poll();
    case Verb::query: return query();
    case Verb::attributes: return attributes();
    case Verb::capture: return capture();
    case Verb::capture_info: return capture_info();
    case Verb::elapsed: return elapsed();
    case Verb::memset_now: return memset();
    case Verb::d2d_now: return copy_on_device();
    case Verb::memcpy: return blocking_copy();
    case Verb::malloc: return malloc(false);
    case Verb::free: return free(false);
    case Verb::prefetch: return prefetch();
    case Verb::malloc_async: return malloc(true);
    case Verb::free_async: return free(true);
    case Verb::launch: return launch();
    case Verb::join: return join();
    case Verb::create_stream: return create_stream();
    case Verb::create_event: return create_event();
    case Verb::destroy: return destroy();
    case Verb::malloc_host: return malloc_host();
    case Verb::free_host: return free_host();
    case Verb::pin: return pin();
    case Verb::unpin: return unpin();
    case Verb::fault: return fault();
    case Verb::last_error: return last_error();
    case Verb::reset: return reset();
    case Verb::touch: return touch();
    default: return std::nullopt;
  }
}

Symbol* OperationBuilder::use(const syntax::Name& name, SymbolKinds expected) {
  Symbol* symbol = expansion_.find_declared(name, expected);
  if (symbol && expected.has(symbol->kind)) return alive(name, *symbol) ? symbol : nullptr;
  if (!symbol) return nullptr;
  mismatch(name, *expansion_.scope.text(name), *symbol, expected);
  return nullptr;
}

void OperationBuilder::mismatch(const syntax::Name& name, std::string_view text, const Symbol& symbol,
                                SymbolKinds expected) {
  const std::string where = symbol.location.line == 0 ? "" : tr(" (line {})", symbol.location.line);
  refuse(name, tr("'{}' is {}{}, expected {}", printable(text), words(symbol.kind), where, words(expected)));
}

std::optional<Nanoseconds> OperationBuilder::lasts(const syntax::Number& number) {
  return within(expansion_, number, tr_later("a duration in nanoseconds (ten minutes at most)"), 0, kLongestDuration);
}

std::optional<Operation> build_operation(Expansion& expansion, const syntax::Statement& statement) {
  return OperationBuilder(expansion, statement).build();
}

}  // namespace streamscope::program
