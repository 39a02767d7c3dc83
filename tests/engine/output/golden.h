// Files under tests/golden, compared byte for byte. With STREAMSCOPE_UPDATE_GOLDENS=1 the test writes them anew and
// fails, so that a run that wrote them is never taken for one that checked them; read the difference, then run again.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/files.h"

namespace streamscope::output_test {

inline void expect_golden(const std::string& file, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(STREAMSCOPE_SOURCE) / "tests" / "golden" / file;
  if (const char* update = std::getenv("STREAMSCOPE_UPDATE_GOLDENS"); update && std::string_view(update) == "1") {
    const Result<void> written = write_text(path, text);
    if (!written) FAIL() << written.error().message;
    FAIL() << path << " was written anew: read what changed, then run without STREAMSCOPE_UPDATE_GOLDENS";
  }
  const Result<std::string> golden = read_text(path);
  if (!golden) FAIL() << golden.error().message << "; STREAMSCOPE_UPDATE_GOLDENS=1 makes it";
  if (*golden == text) return;
  const auto [had, has] = std::mismatch(golden->begin(), golden->end(), text.begin(), text.end());
  const auto at = static_cast<std::size_t>(has - text.begin());
  const std::size_t from = at < 60 ? 0 : at - 60;
  FAIL() << file << " differs at byte " << at << " (line " << 1 + std::count(text.begin(), has, '\n')
         << ")\n  golden: " << golden->substr(from, 140) << "\n  now:    " << text.substr(from, 140);
}

}  // namespace streamscope::output_test
