#include "engine/base/error.h"

namespace streamscope {

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input: return 2;
    case ErrorKind::no_device: return 3;
    case ErrorKind::device_failed: return 4;
    case ErrorKind::wrong_data: return 5;
    case ErrorKind::cancelled: return 4;
  }
  return 4;
}

}  // namespace streamscope
