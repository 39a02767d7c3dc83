#include "kernels/attention/launcher.h"

#include "kernels/attention/attention.h"
#include "kernels/attention/launch.h"

namespace streamscope::kernels {
namespace {

struct AttentionLauncher final : Launcher {
  explicit AttentionLauncher(const AttentionOptions& of) : options(of) {}
  int prepare(std::size_t shared_bytes_limit) override {
    int code = prepare_attention(shared_bytes_limit);
    if (code == 0) code = attention_fit(launched(nullptr, 1), &found);
    return code;
  }
  int fit(Fit* fit) const override {
    *fit = {found.blocks, found.registers, found.shared_bytes};
    return 0;
  }
  int launch(const LaunchData& data, const StampTo& stamp, const StagesTo& stages, Stream stream) const override {
    Attention one = launched(data.first, static_cast<std::uint32_t>(options.rows(data.bytes)));
    const std::uint64_t matrix = data.bytes / 4;
    one.k = data.first + matrix;
    one.v = data.first + 2 * matrix;
    one.o = data.first + 3 * matrix;
    one.shared_bytes = found.shared_bytes;
    return attention(one, stamp, stages, stream);
  }
  Attention launched(char* q, std::uint32_t rows) const {
    Attention one{};
    one.q = q;
    one.heads = options.heads;
    one.queries = one.keys = rows;
    one.head_size = options.head_size;
    one.bf16 = options.bf16;
    one.buffers = options.buffers;
    return one;
  }
  AttentionOptions options;
  AttentionFit found{};
};

}  // namespace

std::unique_ptr<Launcher> attention_launcher(const Values& values, std::uint32_t) {
  return std::make_unique<AttentionLauncher>(attention_options(values));
}

}  // namespace streamscope::kernels
