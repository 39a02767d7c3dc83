// The thread of the engine process that touches devices: takes one job after the other until the connection ends.
#pragma once

#include "engine/remote/connection.h"

namespace streamscope::remote {

void run_worker(Connection& connection);

}  // namespace streamscope::remote
