// The engine process's main loop: reads messages from one descriptor, answers on another, runs programs on its devices.
#pragma once

namespace streamscope {

// Returns when the input ends or the talk breaks; the result is the process's exit code. Nothing else may write to `out`.
int serve(int in, int out);

}  // namespace streamscope
