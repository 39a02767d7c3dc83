// The descriptions of records, and that they are whole.
#include "engine/schema/record.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <utility>

#include "engine/remote/description.h"
#include "engine/trace/description.h"

namespace streamscope::schema {
namespace {

// How many members a plain struct has: the most values that it can be made of.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT: it stands for a value of any type
};
template <class Record, class... Values>
consteval std::size_t members_in() {
  if constexpr (requires { Record{Values{}..., Anything{}}; }) {
    return members_in<Record, Values..., Anything>();
  } else {
    return sizeof...(Values);
  }
}

template <class Record>
consteval std::size_t members_described() {
  std::size_t count = 0;
  each_member<Record>([&](const auto& member) { count += std::decay_t<decltype(member)>::kWhere != Where::computed; });
  return count;
}

// A member that is added to one of these and not described would be in no file and no message.
template <class... Records>
constexpr bool whole = ((members_in<Records>() == members_described<Records>()) && ...);

TEST(Description, NoMemberOfARecordIsMissing) {
  EXPECT_TRUE((whole<trace::Span, trace::Stage, trace::StageBlock, trace::Stages, trace::KernelFacts>));
  EXPECT_TRUE((whole<trace::DeviceFacts, trace::HandOver, trace::LaunchShape>));
  EXPECT_TRUE((whole<trace::PollAnswer, trace::StreamAttributes, trace::CaptureAnswer>));
  EXPECT_TRUE((whole<trace::StreamInfo, trace::Provenance, trace::Statistic, trace::ObserverEffect>));
  EXPECT_TRUE((whole<device::WhatIfNumber, device::DeviceList, measure::MeasureOptions, DeviceFault, Error>));
  EXPECT_TRUE(
      (whole<remote::message::Hello, remote::message::AskDevices, remote::message::StartRun, remote::message::Stop,
             remote::message::Spans, remote::message::Passes, remote::message::Done, remote::message::Failed>));
  EXPECT_EQ(members_in<device::DeviceInfo>(), members_described<device::DeviceInfo>() + 1)
      << "the multiprocessors' limits stay in the engine";
}

// Keys are those of JSON, so each is one of its record's, in letters that need no escape; and each says what it is.
template <class Record>
void expect_sound_keys() {
  std::set<std::string_view> keys;
  each_member<Record>([&](const auto& member) {
    EXPECT_TRUE(keys.insert(member.key).second) << member.key;
    EXPECT_EQ(member.key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos) << member.key;
    EXPECT_FALSE(member.meaning.empty()) << member.key;
    if (member.key.ends_with("_ns")) {
      EXPECT_EQ(member.unit, "ns") << member.key;
    }
  });
}

TEST(Description, KeysAreDistinctAndTimesNameTheirUnit) {
  expect_sound_keys<trace::Span>();
  expect_sound_keys<trace::Stage>();
  expect_sound_keys<trace::StageBlock>();
  expect_sound_keys<trace::KernelFacts>();
  expect_sound_keys<trace::DeviceFacts>();
  expect_sound_keys<trace::HandOver>();
  expect_sound_keys<trace::LaunchShape>();
  expect_sound_keys<trace::IsolatedTime>();
  expect_sound_keys<trace::Provenance>();
  expect_sound_keys<trace::Prediction>();
  expect_sound_keys<trace::Run>();
  expect_sound_keys<device::DeviceInfo>();
  expect_sound_keys<measure::MeasureOptions>();
}

TEST(Member, IsAbsentAsItsDescriptionSays) {
  trace::Span span;
  EXPECT_FALSE((kMember<trace::Span, "line">.present(span))) << "the program implies it";
  EXPECT_FALSE((kMember<trace::Span, "start_ns">.present(span))) << "a time that is not known";
  EXPECT_FALSE((kMember<trace::Span, "uncertainty_ns">.present(span))) << "of an end that is not known";
  span.line = 3;
  span.start = 0;
  span.source = trace::Source::event;
  EXPECT_TRUE((kMember<trace::Span, "line">.present(span)));
  EXPECT_TRUE((kMember<trace::Span, "start_ns">.present(span))) << "0 is a time";
  EXPECT_TRUE((kMember<trace::Span, "uncertainty_ns">.present(span))) << "0 is an uncertainty";
  EXPECT_FALSE((kMember<trace::Span, "spread_ns">.present(span))) << "of one sample there is none";
  span.samples = 2;
  EXPECT_TRUE((kMember<trace::Span, "spread_ns">.present(span)));
}

TEST(Member, LiesWhereItsPathLeads) {
  trace::Run run;
  run.trace.names = {"H2D"};
  EXPECT_EQ((&kMember<trace::Run, "names">.of(run)), &run.trace.names);
  trace::Prediction prediction;
  kMember<trace::Prediction, "profile">.of(prediction) = "h200";
  EXPECT_EQ(prediction.trace.provenance.profile, "h200");
}

TEST(Member, OfManyIsLookedForUntilOneIsTaken) {
  int asked = 0;
  EXPECT_TRUE(any_member<trace::Span>([&](const auto& member) { return ++asked, member.key == "kind"; }));
  EXPECT_EQ(asked, 3);
  EXPECT_FALSE(any_member<trace::Span>([&](const auto&) { return false; }));
}

}  // namespace
}  // namespace streamscope::schema
