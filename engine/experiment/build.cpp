#include "engine/experiment/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "engine/base/quantity.h"
#include "engine/experiment/keys.h"

namespace streamscope::experiment {
namespace {

class Lines {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    text_.append(2 * depth_, ' ');
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void blank() { text_ += '\n'; }

  // The body once for each i below count; a single time needs no repeat.
  template <class Body>
  void repeat(std::uint64_t count, const Body& body, char i = 'i') {
    if (count == 1) return body();
    add("repeat {} as {} {{", count, i);
    ++depth_;
    body();
    --depth_;
    add("}}");
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::size_t depth_ = 0;
};

// A number of chunks, one behind the other.
struct Part {
  std::uint64_t first = 0, count = 0;
};

class Builder {
 public:
  explicit Builder(const Experiment& experiment)
      : e_(experiment),
        chunks_(e_.bytes / e_.chunk),
        several_(e_.devices > 1),
        across_(several_ ? e_.across : Across::split),
        kernel_(experiment.kernel) {
    if (kernel_.kernel == nullptr) return;
    kernel_.kernel->settle(kernel_.values);
    if (kernel_.kernel->operands != kernels::Operands::to_from) return;
    if (!in_parts(e_)) {
      result_ = kernel_.kernel->result_bytes(kernel_.values, e_.chunk);
      all_results_ = result_ * chunks_;
      return;
    }
    for (std::uint32_t d = 0; d < e_.devices; ++d) {
      results_.push_back({all_results_, kernel_.kernel->result_bytes(kernel_.values, worked_on(d).count * e_.chunk)});
      all_results_ += results_.back().count;
    }
  }

  std::string build() {
    lines_.add("# {}", summary());
    std::string sides;
    for (std::uint32_t d = 0; several_ && d < e_.devices; ++d)
      sides += fmt::format("{}{}", d == 0 ? " device=" : ",", d);
    lines_.add("buffer x {} host={}{}", exact_bytes(e_.bytes), program::name(e_.host), sides);
    if (all_results_ != 0)
      lines_.add("buffer y {} host={}{}", exact_bytes(all_results_), program::name(e_.host), sides);
    for (std::uint32_t d = 0; own_streams() && d < e_.devices; ++d) {
      std::string options = d > 0 ? fmt::format(" device={}", d) : std::string();
      if (e_.stream_flags == StreamFlags::nonblocking) options += " nonblocking";
      if (stream_count() == 1) {
        lines_.add("stream {}{}", several_ ? fmt::format("D{}", d) : "S0", options);
      } else {
        lines_.add("streams {} {}{}", several_ ? fmt::format("D{}S", d) : "S", e_.streams, options);
      }
    }
    lines_.blank();
    for (std::uint32_t a = 0; e_.peer_access && a < e_.devices; ++a) {
      for (std::uint32_t b = a + 1; b < e_.devices; ++b) {
        if (exchange(a, b)) lines_.add("host: peer {} {} on", a, b);
      }
    }
    in_parts(e_) ? work_in_parts() : work_on_chunks();
    wait();
    return lines_.take();
  }

 private:
  bool own_streams() const {
    return e_.mode == Mode::async &&
           (e_.stream_flags == StreamFlags::blocking || e_.stream_flags == StreamFlags::nonblocking);
  }

  // The stream where there is only one. In the mode sync all work is in the legacy default stream, as cudaMemcpy is.
  std::string one_stream() const {
    if (own_streams()) return "S0";
    return e_.mode == Mode::async && e_.stream_flags == StreamFlags::per_thread ? "per-thread" : "default";
  }

  // Of each device.
  std::uint32_t stream_count() const { return own_streams() && !in_parts(e_) ? e_.streams : 1; }

  // Of the chunk i, on that device; where chunks are dealt out to the devices, on the one that has it.
  std::string stream(std::uint32_t device = 0) const {
    const std::uint32_t streams = stream_count();
    if (!several_) return streams == 1 || chunks_ == 1 ? one_stream() : fmt::format("S{{i%{}}}", streams);
    if (across_ == Across::split) {
      return streams == 1 ? fmt::format("D{{i%{}}}", e_.devices)
                          : fmt::format("D{{i%{}}}S{{i/{}%{}}}", e_.devices, e_.devices, streams);
    }
    if (streams == 1) return fmt::format("D{}", device);
    return fmt::format("D{}S{}", device, chunks_ == 1 ? "0" : fmt::format("{{i%{}}}", streams));
  }

  std::string summary() const {
    const std::string parts =
        chunks_ == 1 ? "one piece" : fmt::format("{} chunks of {}", chunks_, exact_bytes(e_.chunk));
    const std::string bytes = exact_bytes(e_.bytes);
    if (in_parts(e_)) {
      const std::string sent = across_ == Across::halo
                                   ? fmt::format("edges of {} go to neighbours", exact_bytes(e_.chunk))
                                   : "each part goes to all devices";
      return fmt::format("{} in {} parts, a device each, {}: {}", bytes, e_.devices,
                         e_.steps == 1 ? "one step" : fmt::format("{} steps", e_.steps), sent);
    }
    std::string where;
    if (several_) {
      where = fmt::format("{} {} devices of {}", across_ == Across::split ? "split over" : "through", e_.devices,
                          e_.streams == 1 ? "one stream" : fmt::format("{} streams", e_.streams));
    } else if (e_.mode == Mode::sync) {
      where = program::is_shared(e_.host) ? "all in the stream default, a synchronisation after each kernel"
                                          : "blocking copies, a synchronisation after each kernel";
    } else if (!own_streams()) {
      where = fmt::format("all in the stream {}", one_stream());
    } else {
      where = e_.streams == 1 ? "one stream" : fmt::format("{} streams", e_.streams);
    }
    return fmt::format("{} in {}, {}, {}", bytes, parts, where, name_of(e_.order));
  }

  std::string range() const { return chunks_ == 1 ? "x" : chunk_at(0, "i"); }

  // So many chunks behind that one; in the largest unit that keeps every offset a whole number.
  std::string chunk_at(std::uint64_t first, std::string_view behind) const {
    const std::string length = exact_bytes(e_.chunk);
    const std::size_t digits = std::min(length.find_first_not_of("0123456789"), length.size());
    const std::string unit = length.substr(digits), count = length.substr(0, digits);
    if (behind.empty()) return fmt::format("x[{}:{}]", exact_bytes(first * e_.chunk), length);
    std::string offset = fmt::format("{}{}", behind, count == "1" ? "" : "*" + count);
    if (first != 0) offset += fmt::format("+{}", first * std::stoull(count));
    return fmt::format("x[{{{}}}{}:{}]", offset, unit, length);
  }

  // What comes back: the chunk, or what the kernel wrote of it.
  std::string result_range() const {
    if (result_ == 0) return range();
    return chunks_ == 1 ? "y" : fmt::format("y[{{i*{}}}:{}]", result_, result_);
  }

  // Mapped memory is not copied: kernels access it on the host.
  bool copies(bool wanted) const { return wanted && e_.host != program::HostMemory::mapped; }

  void copy(const std::string& stream, const char* direction, const std::string& range, const char* to) {
    if (e_.host == program::HostMemory::managed) {
      lines_.add("{}: prefetch {} to={}", stream, range, to);
    } else if (e_.mode == Mode::sync) {
      lines_.add("host: memcpy {} {}", direction, range);
    } else {
      lines_.add("{}: {} {}", stream, direction, range);
    }
  }

  void kernel(const std::string& stream, const std::string& range, const std::string& result) {
    std::string operands;
    if (kernel_.kernel->operands != kernels::Operands::none) operands = ' ' + range;
    if (all_results_ != 0) operands = fmt::format(" {} from {}", result, range);
    lines_.add("{}: {}{} {}", stream, kernel_.kernel->word, operands, kernels::written(kernel_));
    if (e_.mode == Mode::sync) lines_.add("host: sync device");
  }

  // The chunk goes from the device before to this one.
  void pass_on(std::uint32_t device) {
    const std::string from = stream(device - 1), to = stream(device), at = from.substr(from.find('S') + 1);
    // As many events as streams: each is waited for before it is recorded again.
    const std::string event =
        stream_count() == 1 ? fmt::format("sent{}", device) : fmt::format("sent{}_{}", device, at);
    lines_.add("{}: peer {}@{} {}@{}", from, range(), device, range(), device - 1);
    lines_.add("{}: record {}", from, event);
    lines_.add("{}: wait {}", to, event);
  }

  void work_on_chunks() {
    std::vector<std::function<void()>> steps;
    if (copies(e_.h2d)) steps.emplace_back([this] { copy(stream(), "h2d", range(), "device"); });
    const std::uint32_t stages = across_ == Across::pipeline ? e_.devices : 1;
    for (std::uint32_t d = 0; d < stages; ++d) {
      if (d > 0) steps.emplace_back([this, d] { pass_on(d); });
      if (kernel_.kernel != nullptr) steps.emplace_back([this, d] { kernel(stream(d), range(), result_range()); });
    }
    if (copies(e_.d2h)) {
      steps.emplace_back([this, stages] { copy(stream(stages - 1), "d2h", result_range(), "host"); });
    }
    if (e_.order == IssueOrder::depth_first) {
      lines_.repeat(chunks_, [&] {
        for (const auto& step : steps) step();
      });
    } else {
      for (const auto& step : steps) lines_.repeat(chunks_, step);
    }
  }

  // Whether data goes between two devices.
  bool exchange(std::uint32_t a, std::uint32_t b) const {
    const bool next = a + 1 == b || b + 1 == a;
    return a != b && several_ && (across_ == Across::all_gather || (across_ != Across::split && next));
  }

  Part own(std::uint32_t device) const {
    const std::uint64_t each = chunks_ / e_.devices;
    return {each * device, each};
  }
  Part worked_on(std::uint32_t device) const {
    if (across_ == Across::all_gather) return {0, chunks_};
    const auto [first, count] = own(device);
    const std::uint64_t before = device > 0 ? 1 : 0, behind = device + 1 < e_.devices ? 1 : 0;
    return {first - before, before + count + behind};
  }
  // A chunk at the edge, or the chunk j of all.
  std::string sent(std::uint32_t from, std::uint32_t to) const {
    const auto [first, count] = own(from);
    if (count == 1 || across_ == Across::all_gather) return chunk_at(first, count == 1 ? "" : "j");
    return chunk_at(to < from ? first : first + count - 1, "");
  }
  std::string range(const Part& part) const {
    if (part.count == chunks_) return "x";
    return fmt::format("x[{}:{}]", exact_bytes(part.first * e_.chunk), exact_bytes(part.count * e_.chunk));
  }
  std::string result(std::uint32_t device) const {
    if (results_.empty()) return range(own(device));
    return fmt::format("y[{}:{}]", exact_bytes(results_[device].first), exact_bytes(results_[device].count));
  }

  void for_each_device(const auto& body) {
    for (std::uint32_t d = 0; d < e_.devices; ++d) body(d, stream(d));
  }
  void for_each_exchange(const auto& body) {
    for (std::uint32_t d = 0; d < e_.devices; ++d) {
      for (std::uint32_t other = 0; other < e_.devices; ++other) {
        if (exchange(d, other)) body(d, other);
      }
    }
  }

  // What comes from another device is worked on, too: so a copy waits until the other side has done its step, and the
  // next step for the copies.
  void work_in_parts() {
    if (copies(e_.h2d)) {
      for_each_device([&](auto d, const std::string& stream) { copy(stream, "h2d", range(own(d)), "device"); });
    }
    lines_.repeat(e_.steps, [&] {
      for_each_device([&](auto d, const std::string& stream) { lines_.add("{}: record ready{}", stream, d); });
      for_each_exchange([&](auto d, auto other) { lines_.add("{}: wait ready{}", stream(d), other); });
      const auto send = [&](auto d, auto other) {
        lines_.add("{}: peer {}@{} {}@{}", stream(d), sent(d, other), other, sent(d, other), d);
      };
      lines_.repeat(
          across_ == Across::all_gather ? own(0).count : 1, [&] { for_each_exchange(send); }, 'j');
      for_each_device([&](auto d, const std::string& stream) { lines_.add("{}: record sent{}", stream, d); });
      for_each_exchange([&](auto d, auto other) { lines_.add("{}: wait sent{}", stream(d), other); });
      if (kernel_.kernel == nullptr) return;
      for_each_device([&](auto d, const std::string& stream) { kernel(stream, range(worked_on(d)), result(d)); });
    });
    if (copies(e_.d2h)) {
      for_each_device([&](auto d, const std::string& stream) { copy(stream, "d2h", result(d), "host"); });
    }
  }

  // The streams of a device one by one, each with an event of that name.
  void for_each_stream(std::string_view event, const auto& body) {
    for (std::uint32_t d = 0; d < e_.devices; ++d) {
      const bool many = stream_count() > 1;
      const std::string one = several_ ? fmt::format("D{}", d) : one_stream();
      const std::string stream = !many ? one : several_ ? one + "S{i}" : "S{i}";
      const std::string its = fmt::format("{}{}{}", event, several_ ? fmt::format("{}", d) : "",
                                          !many      ? ""
                                          : several_ ? "_{i}"
                                                     : "{i}");
      lines_.repeat(stream_count(), [&] { body(stream, its); });
    }
  }

  void wait() {
    switch (e_.sync) {
      case FinalSync::device:
        if (!several_) lines_.add("host: sync device");  // of several the program's own end does it, for each
        return;
      case FinalSync::stream:
        return for_each_stream("", [&](auto& stream, auto&) { lines_.add("host: sync {}", stream); });
      case FinalSync::poll:
        return for_each_stream("", [&](auto& stream, auto&) { lines_.add("host: poll {}", stream); });
      case FinalSync::event:
        for_each_stream("done", [&](auto& stream, auto& event) { lines_.add("{}: record {}", stream, event); });
        return for_each_stream("done", [&](auto&, auto& event) { lines_.add("host: sync {}", event); });
    }
  }

  const Experiment& e_;
  const std::uint64_t chunks_;
  const bool several_;
  const Across across_;
  kernels::Choice kernel_;         // as it is launched
  std::uint64_t result_ = 0;       // bytes that it writes elsewhere for each chunk
  std::uint64_t all_results_ = 0;  // and for all; 0: it does not
  std::vector<Part> results_;      // in parts: where in y those of each device are, in bytes
  Lines lines_;
};

}  // namespace

std::string build(const Experiment& experiment) {
  return experiment.program.empty() ? Builder(experiment).build() : experiment.program;
}

std::string_view key_behind(const program::Program& built, std::uint32_t line) {
  for (const program::Buffer& buffer : built.buffers) {
    if (buffer.line == line) return "bytes";
  }
  for (const program::Operation& operation : built.operations) {
    if (operation.line != line) continue;
    if (const kernels::Choice* const choice = program::kernel_of(built, operation.work)) {
      return *keys::find(keys::key_of(choice->kernel->options[0]));
    }
  }
  return {};
}

}  // namespace streamscope::experiment
