#include "engine/remote/wire.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/support/remote_equal.h"
#include "tests/support/remote_samples.h"

namespace streamscope::remote {
namespace {

using nlohmann::json;
using testing::HasSubstr;

using Bytes = std::vector<std::uint8_t>;

Bytes body_of(const Bytes& frame) { return {frame.begin() + 4, frame.end()}; }
Bytes cbor(const json& value) { return json::to_cbor(value); }
Bytes framed(const Bytes& body) {
  Bytes frame;
  for (unsigned i = 0; i < 4; ++i) frame.push_back(static_cast<std::uint8_t>(body.size() >> (8 * i)));
  frame.insert(frame.end(), body.begin(), body.end());
  return frame;
}
std::string refusal(const Bytes& body) {
  const auto message = decode(body);
  return message ? "(accepted)" : message.error().message;
}

TEST(Wire, EveryMessageComesBackAsItWent) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const Message& message : samples::one_of_each(seed)) {
      const Bytes frame = encode(message);
      const std::size_t announced = frame[0] | frame[1] << 8 | frame[2] << 16 | std::size_t{frame[3]} << 24;
      ASSERT_EQ(announced, frame.size() - 4);
      ASSERT_EQ(frame.back(), '\n') << "what hands on whole lines keeps nothing of it";
      const auto back = decode(body_of(frame));
      ASSERT_TRUE(back) << "seed " << seed << ", type " << message.index() << ": " << back.error().message;
      ASSERT_TRUE(samples::same(message, *back)) << "seed " << seed << ", type " << message.index();
    }
  }
}

// So that the comparison above can fail: one field changed, and it sees it.
TEST(Wire, TheComparisonSeesAChange) {
  samples::Random random(1);
  message::Spans spans{7, samples::spans(random, 3), true};
  message::Spans other = spans;
  EXPECT_TRUE(samples::same(spans, other));
  other.spans[2].polls ^= 1;
  EXPECT_FALSE(samples::same(spans, other));
}

TEST(Wire, AHelloIsTheseBytes) {
  const Bytes frame = encode(message::Hello{1, "s"});
  const std::string expected("\x24\x00\x00\x00\xa4\x67program\x61s\x68protocol\x01\x64type\x65hello\x61~\x61\n", 40);
  EXPECT_EQ(std::string(frame.begin(), frame.end()), expected);
}

TEST(Wire, SpansArePackedByColumn) {
  trace::Span span;
  span.start = 5;
  span.end = 9;
  const json map = json::from_cbor(body_of(encode(message::Spans{3, {span, span}, true})));
  EXPECT_EQ(map.at("spans").at("start_ns"), json::array({5, 5}));
  EXPECT_EQ(map.at("spans").at("ready_ns"), json::array({kAbsent, kAbsent}));
  EXPECT_EQ(map.at("spans").size(), 34u);
}

TEST(Wire, EveryTruncationIsRefused) {
  for (const Message& message : samples::one_of_each(5)) {
    const Bytes body = body_of(encode(message));
    for (std::size_t length = 0; length < body.size(); ++length) {
      ASSERT_FALSE(decode(std::span(body).first(length))) << "type " << message.index() << " cut to " << length;
    }
  }
}

TEST(Wire, FlippedBitsNeverDoHarm) {
  std::mt19937_64 random(11);
  std::size_t refused = 0, tried = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const Message& message : samples::one_of_each(seed)) {
      const Bytes body = body_of(encode(message));
      for (int trial = 0; trial < 20; ++trial) {
        Bytes bad = body;
        for (std::uint64_t flips = 1 + random() % 4; flips > 0; --flips) {
          bad[random() % bad.size()] ^= static_cast<std::uint8_t>(1u << random() % 8);
        }
        const auto result = decode(bad);
        ++tried;
        if (result) {
          encode(*result);  // what passes is a message like any other
        } else {
          ++refused;
          EXPECT_FALSE(result.error().message.empty());
        }
      }
    }
  }
  EXPECT_GT(refused, tried / 4);
}

TEST(Wire, NoiseNeverDoesHarm) {
  std::mt19937_64 random(12);
  for (int trial = 0; trial < 20'000; ++trial) {
    Bytes noise(random() % 64);
    std::generate(noise.begin(), noise.end(), [&] { return static_cast<std::uint8_t>(random()); });
    EXPECT_FALSE(decode(noise));
  }
}

struct Bad {
  const char* name;
  Bytes body;
  const char* says;
};

json sound(const Message& message) { return json::from_cbor(body_of(encode(message))); }
Bytes changed(const Message& message, const std::function<void(json&)>& change) {
  json map = sound(message);
  change(map);
  return cbor(map);
}

TEST(Wire, RefusesWithAReason) {
  const message::Hello hello{1, "x"};
  const message::Spans spans{1, {trace::Span{}, trace::Span{}}, true};
  const Message done = samples::one_of_each(3)[7];
  const Bad table[] = {
      {"empty", {}, "ends too early"},
      {"no map", cbor(json::array({1, 2})), "no map"},
      {"no type", cbor(json::object()), "type"},
      {"type no text", cbor({{"type", 3}}), "type"},
      {"unknown type", cbor({{"type", "dance"}}), "unknown type \"dance\""},
      {"trailing byte",
       [&] {
         auto body = body_of(encode(hello));
         body.push_back(0);
         return body;
       }(),
       "bytes follow"},
      {"missing", changed(hello, [](json& m) { m.erase("protocol"); }), "\"protocol\" is missing"},
      {"text for number", changed(hello, [](json& m) { m["protocol"] = "1"; }), "\"protocol\""},
      {"float for number", changed(hello, [](json& m) { m["protocol"] = 1.5; }), "\"protocol\""},
      {"too large", changed(hello, [](json& m) { m["protocol"] = 1ull << 32; }), "\"protocol\""},
      {"negative", changed(hello, [](json& m) { m["protocol"] = -1; }), "\"protocol\""},
      {"number for text", changed(hello, [](json& m) { m["program"] = 7; }), "\"program\""},
      {"span kind beyond", changed(spans, [](json& m) { m["spans"]["kind"][1] = kOperationKinds; }),
       "column \"kind\", row 1"},
      {"span engine negative", changed(spans, [](json& m) { m["spans"]["engine"][0] = -1; }),
       "column \"engine\", row 0"},
      {"span time too large", changed(spans, [](json& m) { m["spans"]["end_ns"][0] = ~0ull; }),
       "column \"end_ns\", row 0"},
      {"short column", changed(spans, [](json& m) { m["spans"]["end_ns"].erase(0); }),
       "column \"end_ns\" does not have 2 rows"},
      {"no column", changed(spans, [](json& m) { m["spans"].erase("polls"); }), "column \"polls\""},
      {"no table", changed(spans, [](json& m) { m["spans"] = 4; }), "\"spans\" is not what it should be"},
      {"too many spans",
       changed(spans,
               [](json& m) {
                 for (auto& column : m["spans"]) column = json(std::vector<int>(kSpansPerMessage + 1, 0));
               }),
       "8193 rows in one message"},
      {"inner field", changed(done, [](json& m) { m["run"]["provenance"].erase("date"); }), "\"date\" is missing"},
      {"inner type",
       changed(done,
               [](json& m) {
                 m["run"]["streams"] = {{"name", "A"}};
               }),
       "\"streams\""},
      {"byte string", {0x41, 0x00}, "no message has"},
      {"tag", {0xC0, 0x61, 'x'}, "no message has"},
      {"undefined", {0xF7}, "no message has"},
      {"open array", {0x9F, 0xFF}, "left open"},
      {"open text in open text", Bytes(1000, 0x7F), "left open"},
      {"key no text", {0xA1, 0x01, 0x01}, "key is no text"},
      {"more announced than there", {0x9B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, "ends too early"},
      {"map announced at the limit", {0xBB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, "ends too early"},
      {"text longer than all", {0x7B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, "ends too early"},
      {"nested", Bytes(1'000'000, 0x81), "nests too deep"},
      {"wide",
       [] {
         Bytes body(6u << 20, 0x00);
         body[0] = 0x9A;
         body[1] = 0;
         body[2] = 0x5F;
         body[3] = 0xFF;
         body[4] = 0xFB;
         return body;
       }(),
       "too many values"},
  };
  for (const Bad& bad : table) EXPECT_THAT(refusal(bad.body), HasSubstr(bad.says)) << bad.name;
}

TEST(Wire, PassesOverFieldsOfLaterVersions) {
  const auto body = changed(message::Stop{9}, [](json& m) { m["later"] = {1, {{"a", nullptr}}}; });
  const auto message = decode(body);
  ASSERT_TRUE(message) << message.error().message;
  EXPECT_EQ(std::get<message::Stop>(*message).id, 9u);
}

TEST(Wire, ATextTooLongIsRefused) {
  EXPECT_TRUE(decode(body_of(encode(message::Hello{1, std::string(kMaximumText, 'x')}))));
  EXPECT_THAT(refusal(body_of(encode(message::Hello{1, std::string(kMaximumText + 1, 'x')}))),
              HasSubstr("text is too long"));
}

TEST(Wire, TextThatIsNotUtf8BecomesSo) {
  const auto message = decode(body_of(encode(message::Hello{1, "gr\xFC\xC3\x9F \xF0\x9F\x94 \xED\xA0\x80"})));
  ASSERT_TRUE(message);
  EXPECT_EQ(std::get<message::Hello>(*message).program, "gr\uFFFDß \uFFFD\uFFFD\uFFFD \uFFFD\uFFFD\uFFFD");
}

TEST(Wire, AFigureThatIsNoNumberIsNaN) {
  message::Done done;
  done.run.observer_effect = trace::ObserverEffect{std::numeric_limits<double>::quiet_NaN(), 1, 1, 3};
  const auto message = decode(body_of(encode(done)));
  ASSERT_TRUE(message);
  ASSERT_TRUE(std::get<message::Done>(*message).run.observer_effect);
  EXPECT_TRUE(std::isnan(std::get<message::Done>(*message).run.observer_effect->median));
}

TEST(FrameReader, GivesMessagesWhateverThePiecesTheyComeIn) {
  const auto messages = samples::one_of_each(21);
  Bytes stream;
  for (const Message& message : messages) {
    const Bytes frame = encode(message);
    stream.insert(stream.end(), frame.begin(), frame.end());
  }
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{64}, stream.size()}) {
    FrameReader reader;
    std::vector<Message> got;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      reader.feed(std::span(stream).subspan(at, std::min(piece, stream.size() - at)));
      for (;;) {
        auto message = reader.next();
        ASSERT_TRUE(message) << message.error().message;
        if (!*message) break;
        got.push_back(std::move(**message));
      }
    }
    ASSERT_EQ(got.size(), messages.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(samples::same(got[i], messages[i])) << piece << ", " << i;
    EXPECT_TRUE(reader.finish());
  }
}

TEST(FrameReader, SaysWhereTheStreamEndsWithinAMessage) {
  const Bytes frame = encode(message::Hello{});
  for (std::size_t length = 1; length < frame.size(); ++length) {
    FrameReader reader;
    reader.feed(std::span(frame).first(length));
    const auto message = reader.next();
    ASSERT_TRUE(message);
    EXPECT_FALSE(*message);
    EXPECT_FALSE(reader.finish()) << length;
  }
}

// The address space is closed while the frame is refused: whoever tried to make room for it would fail.
TEST(FrameReader, RefusesWhatIsTooLargeFromItsFirstFourBytes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs the address space";
#else
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  rlimit closed = before;
  closed.rlim_cur = 32u << 20;
  FrameReader reader;
  const std::uint8_t head[] = {0x01, 0x00, 0x00, 0x04};  // kMaximumFrame + 1
  setrlimit(RLIMIT_AS, &closed);
  reader.feed(head);
  const auto message = reader.next();
  setrlimit(RLIMIT_AS, &before);
  ASSERT_FALSE(message);
  EXPECT_THAT(message.error().message, HasSubstr("67108865 bytes"));
#endif
}

TEST(FrameReader, RefusesAnEmptyFrame) {
  FrameReader reader;
  reader.feed(Bytes(4, 0));
  EXPECT_FALSE(reader.next());
}

TEST(FrameReader, QuotesTextThatCameInPlaceOfAMessage) {
  FrameReader reader;
  const std::string motd = "Welcome to gpubox!\nLast login: today\n";
  reader.feed(Bytes(motd.begin(), motd.end()));
  const auto message = reader.next();
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().message, "Text came where a message should be: \"Welcome to gpubox! Last login: today \".");
}

TEST(FrameReader, StaysInError) {
  FrameReader reader;
  reader.feed(framed({0xF7}));
  EXPECT_FALSE(reader.next());
  reader.feed(encode(message::Hello{}));
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.finish());
}

}  // namespace
}  // namespace streamscope::remote
