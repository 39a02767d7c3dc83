// The thread of the engine process that touches devices: takes one job after the other until the talk is over.
#pragma once

#include "engine/remote/connection.h"

namespace streamscope::remote {

void work(Talk& talk);

}  // namespace streamscope::remote
