// As engine/base/precompiled.h, for the tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/precompiled.h"
