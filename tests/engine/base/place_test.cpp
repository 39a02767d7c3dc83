#include "engine/base/place.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/translate.h"

namespace streamscope {
namespace {

class Placed : public ::testing::Test {
 protected:
  void TearDown() override { translate_by(nullptr); }
};

void expect_parts(const std::string& text) {
  const auto parts = parts_of_error(text);
  ASSERT_TRUE(parts) << text;
  EXPECT_EQ(parts->place, "a.toml:3:1");
  EXPECT_EQ(parts->what, "9: no");
  EXPECT_FALSE(parts_of_warning(text)) << text;
}

TEST_F(Placed, WhatWasPutTogetherIsTakenApart) {
  EXPECT_EQ(error_at("a.toml:3:1", "9: no"), "a.toml:3:1: error: 9: no");
  EXPECT_EQ(warning_at("a", "b"), "a: warning: b");
  expect_parts(error_at("a.toml:3:1", "9: no"));
  EXPECT_FALSE(parts_of_error("no error"));
}

TEST_F(Placed, InEveryLanguage) {
  translate_by([](const char* text, const char*, unsigned long) {
    return std::strcmp(text, "{}: error: {}") == 0 ? "«{}: Fehler: {}»" : text;
  });
  EXPECT_EQ(error_at("a", "b"), "«a: Fehler: b»");
  expect_parts(error_at("a.toml:3:1", "9: no"));
}

}  // namespace
}  // namespace streamscope
