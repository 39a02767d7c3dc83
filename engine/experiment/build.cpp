#include "engine/experiment/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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
  void repeat(std::uint64_t count, const Body& body) {
    if (count == 1) return body();
    add("repeat {} as i {{", count);
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

class Builder {
 public:
  explicit Builder(const Experiment& experiment)
      : e_(experiment), chunks_(e_.bytes / e_.chunk), kernel_(experiment.kernel) {
    if (kernel_.kernel == nullptr) return;
    kernel_.kernel->settle(kernel_.values);
    if (kernel_.kernel->operands == kernels::Operands::to_from) {
      result_ = kernel_.kernel->result_bytes(kernel_.values, e_.chunk);
    }
  }

  std::string build() {
    lines_.add("# {}", summary());
    lines_.add("buffer x {} host={}", exact_bytes(e_.bytes), program::name(e_.host));
    if (result_ != 0) lines_.add("buffer y {} host={}", exact_bytes(result_ * chunks_), program::name(e_.host));
    if (own_streams()) {
      const char* flags = e_.stream_flags == StreamFlags::nonblocking ? " nonblocking" : "";
      if (e_.streams == 1) {
        lines_.add("stream S0{}", flags);
      } else {
        lines_.add("streams S {}{}", e_.streams, flags);
      }
    }
    lines_.blank();
    if (e_.order == IssueOrder::depth_first) {
      lines_.repeat(chunks_, [&] {
        copy_in();
        kernel();
        copy_out();
      });
    } else {
      if (copies(e_.h2d)) lines_.repeat(chunks_, [&] { copy_in(); });
      if (kernel_.kernel != nullptr) lines_.repeat(chunks_, [&] { kernel(); });
      if (copies(e_.d2h)) lines_.repeat(chunks_, [&] { copy_out(); });
    }
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

  std::uint32_t stream_count() const { return own_streams() ? e_.streams : 1; }

  std::string stream() const {
    if (stream_count() == 1 || chunks_ == 1) return one_stream();
    return fmt::format("S{{i%{}}}", e_.streams);
  }

  std::string summary() const {
    const std::string parts =
        chunks_ == 1 ? "one piece" : fmt::format("{} chunks of {}", chunks_, exact_bytes(e_.chunk));
    std::string where;
    if (e_.mode == Mode::sync) {
      where = program::is_shared(e_.host) ? "all in the stream default, a synchronisation after each kernel"
                                          : "blocking copies, a synchronisation after each kernel";
    } else if (!own_streams()) {
      where = fmt::format("all in the stream {}", one_stream());
    } else {
      where = e_.streams == 1 ? "one stream" : fmt::format("{} streams", e_.streams);
    }
    return fmt::format("{} in {}, {}, {}", exact_bytes(e_.bytes), parts, where, name_of(e_.order));
  }

  // In the largest unit that keeps every offset a whole number.
  std::string range() const {
    if (chunks_ == 1) return "x";
    const std::string length = exact_bytes(e_.chunk);
    const std::size_t digits = length.find_first_not_of("0123456789");
    const std::string unit = digits == std::string::npos ? "" : length.substr(digits);
    const std::string count = length.substr(0, digits);
    return fmt::format("x[{{i{}}}{}:{}]", count == "1" ? "" : "*" + count, unit, length);
  }

  // What comes back: the chunk, or what the kernel wrote of it.
  std::string result_range() const {
    if (result_ == 0) return range();
    return chunks_ == 1 ? "y" : fmt::format("y[{{i*{}}}:{}]", result_, result_);
  }

  // Mapped memory is not copied: kernels access it on the host.
  bool copies(bool wanted) const { return wanted && e_.host != program::HostMemory::mapped; }

  void copy_in() {
    if (copies(e_.h2d)) copy("h2d", range(), "device");
  }
  void copy_out() {
    if (copies(e_.d2h)) copy("d2h", result_range(), "host");
  }

  void copy(const char* direction, const std::string& range, const char* to) {
    if (e_.host == program::HostMemory::managed) {
      lines_.add("{}: prefetch {} to={}", stream(), range, to);
    } else if (e_.mode == Mode::sync) {
      lines_.add("host: memcpy {} {}", direction, range);
    } else {
      lines_.add("{}: {} {}", stream(), direction, range);
    }
  }

  void kernel() {
    if (kernel_.kernel == nullptr) return;
    std::string operands;
    if (kernel_.kernel->operands != kernels::Operands::none) operands = ' ' + range();
    if (result_ != 0) operands = fmt::format(" {} from {}", result_range(), range());
    lines_.add("{}: {}{} {}", stream(), kernel_.kernel->word, operands, kernels::written(kernel_));
    if (e_.mode == Mode::sync) lines_.add("host: sync device");
  }

  void wait() {
    const bool many = stream_count() > 1;
    const std::string stream_i = many ? "S{i}" : one_stream();
    const std::string event_i = many ? "done{i}" : "done";
    switch (e_.sync) {
      case FinalSync::device: return lines_.add("host: sync device");
      case FinalSync::stream: return lines_.repeat(stream_count(), [&] { lines_.add("host: sync {}", stream_i); });
      case FinalSync::poll: return lines_.repeat(stream_count(), [&] { lines_.add("host: poll {}", stream_i); });
      case FinalSync::event:
        lines_.repeat(stream_count(), [&] { lines_.add("{}: record {}", stream_i, event_i); });
        return lines_.repeat(stream_count(), [&] { lines_.add("host: sync {}", event_i); });
    }
  }

  const Experiment& e_;
  const std::uint64_t chunks_;
  kernels::Choice kernel_;    // as it is launched
  std::uint64_t result_ = 0;  // bytes that it writes elsewhere for each chunk
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
