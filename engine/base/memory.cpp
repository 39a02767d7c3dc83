#include "engine/base/memory.h"

#include <cstdlib>  // __GLIBC__, where it is that library
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace streamscope {

void give_back_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace streamscope
