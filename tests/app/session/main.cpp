// The test program is its own engine: a session without a command starts this executable with the argument "engine".
#include <gtest/gtest.h>

#include <string_view>

#include "engine/remote/serve.h"

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "engine") return streamscope::remote::serve(0, 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
