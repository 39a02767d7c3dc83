#include "tests/damage/heap.h"

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace {

std::atomic<std::size_t> now = 0, peak = 0;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

void* taken(void* memory) {
  if (memory == nullptr) return nullptr;
  const std::size_t after = now += malloc_usable_size(memory);
  std::size_t most = peak;
  while (after > most && !peak.compare_exchange_weak(most, after)) {
  }
  return memory;
}
void given(void* memory) {
  if (memory != nullptr) now -= malloc_usable_size(memory);
}

#endif

}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) { return taken(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return taken(__libc_calloc(count, size)); }
void* memalign(std::size_t align, std::size_t size) { return taken(__libc_memalign(align, size)); }
void* aligned_alloc(std::size_t align, std::size_t size) { return memalign(align, size); }
int posix_memalign(void** out, std::size_t align, std::size_t size) {
  *out = memalign(align, size);
  return *out != nullptr ? 0 : ENOMEM;
}
void free(void* memory) {
  given(memory);
  __libc_free(memory);
}
void* realloc(void* memory, std::size_t size) {
  given(memory);
  void* const moved = __libc_realloc(memory, size);
  if (moved == nullptr && size > 0) now += memory != nullptr ? malloc_usable_size(memory) : 0;
  return taken(moved);
}
}

#endif

namespace streamscope::damage {

std::size_t heap_now() { return now; }
std::size_t heap_peak() { return peak; }
void reset_peak() { peak = now.load(); }

}  // namespace streamscope::damage
