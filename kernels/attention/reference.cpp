#include "kernels/attention/reference.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/parallel_slices.h"

namespace streamscope::kernels {
namespace {

constexpr std::uint64_t kRowsPerSlice = 16;  // rows, for one worker at a time

// Keys and values of a head. Keys are stored by column, so that the scores of a row can be summed in vectors.
struct Head {
  std::vector<double> keys, values;  // [head_size][keys], [keys][head_size]
};

Head head_of(const AttentionInput& input, std::size_t head) {
  const std::size_t count = input.keys, size = input.head_size, at = head * count * size;
  Head result{std::vector<double>(count * size), std::vector<double>(count * size)};
  for (std::size_t key = 0; key < count; ++key) {
    for (std::size_t c = 0; c < size; ++c) {
      result.keys[c * count + key] = element(input.k, input.bf16, at + key * size + c);
      result.values[key * size + c] = element(input.v, input.bf16, at + key * size + c);
    }
  }
  return result;
}

// `row` counts over all heads. `weights` is scratch, one for each key.
void compute_row(const AttentionInput& input, const Head& head, std::size_t row, std::vector<double>& weights,
                 double* output) {
  const std::size_t count = input.keys, size = input.head_size;
  std::fill(weights.begin(), weights.end(), 0.0);
  for (std::size_t c = 0; c < size; ++c) {
    const double q = element(input.q, input.bf16, row * size + c) / std::sqrt(static_cast<double>(size));
    const double* const keys = head.keys.data() + c * count;
    for (std::size_t key = 0; key < count; ++key) weights[key] += q * keys[key];
  }
  const double highest = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - highest);
  std::fill_n(output, size, 0.0);
  for (std::size_t key = 0; key < count; ++key) {
    const double share = weights[key] / sum;
    const double* const values = head.values.data() + key * size;
    for (std::size_t c = 0; c < size; ++c) output[c] += share * values[c];
  }
}

}  // namespace

std::vector<double> attention_reference(const AttentionInput& input) {
  std::vector<double> result(std::size_t{input.heads} * input.queries * input.head_size);
  for (std::size_t h = 0; h < input.heads; ++h) {
    const Head head = head_of(input, h);
    const auto compute = [&](std::size_t, std::uint64_t begin, std::uint64_t end) {
      std::vector<double> weights(input.keys);
      for (std::size_t row = h * input.queries + begin; row < h * input.queries + end; ++row) {
        compute_row(input, head, row, weights, result.data() + row * input.head_size);
      }
    };
    in_slices(input.queries, compute, kRowsPerSlice);
  }
  return result;
}

double attention_error(const void* found, bool bf16, const std::vector<double>& expected, std::uint32_t head_size) {
  double worst = 0;
  for (std::size_t row = 0; row < expected.size(); row += head_size) {
    double difference = 0, largest = 0;
    for (std::size_t i = row; i < row + head_size; ++i) {
      const double off = std::abs(element(found, bf16, i) - expected[i]);
      if (std::isnan(off)) return std::numeric_limits<double>::infinity();
      difference = std::max(difference, off);
      largest = std::max(largest, std::abs(expected[i]));
    }
    worst = std::max(worst, largest > 0 ? difference / largest : difference);
  }
  return worst;
}

bool all_between(const char* data, std::uint64_t bytes, bool bf16, float least, float most) {
  std::atomic<bool> all = true;
  in_slices(bytes / (bf16 ? 2 : 4), [&](std::size_t, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const float value = element(data, bf16, i);
      if (!(value >= least && value <= most)) all = false;
    }
  });
  return all;
}

void write_elements(const std::vector<double>& elements, bool bf16, char* to) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto value = static_cast<float>(elements[i]);
    if (bf16) {
      const std::uint16_t bits = to_bf16(value);
      std::memcpy(to + 2 * i, &bits, sizeof bits);
    } else {
      std::memcpy(to + 4 * i, &value, sizeof value);
    }
  }
}

std::uint16_t to_bf16(float value) {
  const auto word = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((word + 0x7FFFu + ((word >> 16) & 1u)) >> 16);
}

float from_bf16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

float element(const void* data, bool bf16, std::size_t index) {
  if (bf16) {
    std::uint16_t bits;
    std::memcpy(&bits, static_cast<const char*>(data) + 2 * index, sizeof bits);
    return from_bf16(bits);
  }
  float value;
  std::memcpy(&value, static_cast<const char*>(data) + 4 * index, sizeof value);
  return value;
}

}  // namespace streamscope::kernels
