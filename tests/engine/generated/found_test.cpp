// What generated programs have found, in its least form, stays mended.
#include <gtest/gtest.h>

#include "tests/generated/property.h"

namespace streamscope::generated {
namespace {

struct Once {
  const char* name;
  std::string_view device, text;
};
void PrintTo(const Once& once, std::ostream* out) { *out << once.name; }

constexpr Once kFound[] = {
    {"AnUrgentKernelWithoutAPlaceHeldUpTheOneThatRan", "model:h200,compute.kernels=1",
     "stream A priority=-1\nstream B\nB: spin 1ms blocks=1000 threads=1024\nA: spin 10us\n"},
    {"AsDidOneOfTwoWaves", "model:h200,compute.multiprocessors=2,compute.kernels=1",
     "buffer x 131072\nbuffer w 262144\nstream C nonblocking priority=-1\ndefault: attention w[0:224256] type=bf16\n"
     "C: attention x[0:66560]\n"},
    {"CallsOfTwoThreadsWaitedForRoomAtOneTime", "model:h100,streams.queue_depth=4",
     "buffer p 1KiB\nbuffer a 1KiB\nstreams S 1\nthread T0 {\n  per-thread: record e\n  S0: wait g\n}\nS0: record g\n"
     "repeat 5 {\n  repeat 2 {\n    default: d2d p[0:1] a[0:1]\n    S0: callback 0ns\n  }\n}\n"},
    {"PagesThatWereThereHadABound", "model:h200", "buffer m 1MiB host=managed\nstream A\nA: prefetch m[0:1] to=host\n"},
    {"TheLaunchOfAGraphHadSlack", "model:h200",
     "buffer x 512KiB\nbuffer p 512KiB host=pageable\nbuffer y 64\nbuffer w 4\nstream A\nstream C\nstreams S 3\n"
     "graph G on S2 {\n  S2: spin 0us\n  S2: spin 0us\n  S2: h2d y[0:1] from w[0:1]\n}\nA: d2h x[0:404434] to "
     "p[0:404434]\n"
     "C: tiles y[0:44] fma=1\nper-thread: launch G\n"},
    {"ACopyInTheThreadsOwnStreamWaitedForAllStreams", "model:h100",
     "default-stream per-thread\nbuffer x 4\nbuffer p 16384 host=pageable\nbuffer w 1MiB\nbuffer odd 13\nstream D\n"
     "streams S 2\ngraph G0 on D {\n  D: axpb odd[0:8] fma=1\n}\ngraph G1 on per-thread {\n  per-thread: record f\n"
     "  D: wait f\n  D: h2d x[0:1]\n  D: record j\n  per-thread: wait j\n}\nthread T0 {\n  S1: launch G1\n"
     "  S1: hostfn 0ns\n}\nS0: d2h w[0:1]\nhost: memcpy h2d w[0:12927] from p[0:12927]\nS1: launch G0\n"},
    {"WhatWasAheadOfACopyBehindAPrefetch", "model:h100,copies.channels=1",
     "buffer x 1MiB\nbuffer w 1048576\nbuffer m 1MiB host=managed\nbuffer odd 87\nstream A\nstreams S 1\n"
     "S0: d2h w\nS0: prefetch m[0:1] to=host\nS0: d2h w[0:69] to odd[0:69]\nA: d2h x\n"},
    {"ARecordOnACopyEngineSlowedACopyOfTheOtherDirection", "model:h100",
     "default-stream per-thread\nbuffer p 1MiB\nbuffer w 65536\nstream B\nB: h2d w[0:41680] from w[0:41680]\n"
     "B: record g\nhost: memcpy d2h w[0:1] to w[0:1]\nB: d2h p[0:1]\n"},
    {"TwoThatMovedTheSamePagesTurnedRound", "model:h100",
     "buffer x 8192\nbuffer p 1MiB\nbuffer w 1\nbuffer m 1023KiB host=managed\nbuffer a 1024KiB host=mapped\n"
     "buffer odd 589\nstream B\nstreams S 6 nonblocking\ngraph G1 on S3 {\n  S3: d2h w[0:1]\n"
     "  S3: tiles a[0:836788] fma=1\n  S3: record G1mark0\n  per-thread: wait G1mark0\n"
     "  S3: d2d odd[0:485] m[972950:485]\n  per-thread: record G1join1\n  S3: wait G1join1\n}\nS2: launch G1\n"
     "B: d2d p[0:5759] x[0:5759]\ndefault: callback 0ns\ndefault: prefetch m[923414:62232] to=host\n"
     "per-thread: launch G1\nhost: memcpy h2d w\n"},
    {"ABlockingCopyWasGivenBehindTheWorkOfAnotherThread", "model:h100",
     "buffer y 128\nbuffer p 4096KiB host=pageable\nbuffer m 128 host=managed\nstream A\nstream B\nthread T0 {\n"
     "  B: h2d p[0:3328618] rows=1697 width=1066\n  A: d2d m[0:81] y[0:81]\n}\nA: spin 200000ns\n"
     "host: memcpy h2d p[0:95493]\nB: spin 31250ns\n"},
    {"APrefetchCameBeforeTheHostTouchedItsPages", "model:h200",
     "buffer x 8388608\nbuffer w 1MiB\nbuffer m 524288 host=managed\nstream B\nstream C\nstreams S 1\nS0: d2h x\n"
     "S0: prefetch m[1:1] to=device\nS0: h2d w[0:127790] from w[0:127790]\nB: prefetch m[0:1] to=device\n"
     "host: work 100us\nC: prefetch m[0:1] to=host\nhost: touch m[1:313740]\n"},
    {"ToAskForAnEventTookLongerThanAWait", "model:one-copy-engine,host.query=325127ns",
     "buffer w 4194304\nstream A\nstream B\nevent f\nB: h2d w\ndefault: d2h w[0:1]\nper-thread: record e\n"
     "per-thread: wait f\nA: wait e\n"},
    {"ARecordTookTheEngineBeforeAPrefetch", "model:h100",
     "buffer x 1MiB\nbuffer y 1\nbuffer w 16KiB\nbuffer m 1 host=managed\nstream B\nstream C nonblocking\nstreams S 1\n"
     "default: callback 0ns\nS0: record g\nB: record f\nC: d2h y[0:1]\ndefault: prefetch m[0:1] to=host\n"
     "host: d2d w[0:9110] x[0:9110]\nC: record g\nS0: spin 5us\ndefault: prefetch m to=device\n"},
    {"ACopyWithTheCommandsWasPolledForByWhatReadsThem", "model:h100",
     "buffer x 2097152\nbuffer y 2048\nbuffer m 1 host=managed\nstreams S 5\nS4: d2h x[0:1114970]\n"
     "S4: prefetch m[0:1] to=host\nS4: h2d y[0:1232] from y[0:1232]\nS4: prefetch m[0:1] to=device\n"
     "S4: h2d y[0:{-0+1}]\n"},
    {"TheDriverWasTakenByAThreadThatWokeFirst", "model:h100",
     "default-stream per-thread\nbuffer y 16\nbuffer m 262144 host=managed\nbuffer a 16\nstream A\nstream C\n"
     "stream D\nthread T0 {\n  per-thread: wait g\n  D: prefetch m[0:160863] to=device\n  host: malloc t0 1\n"
     "  host: free t0\n}\nhost: create-stream made1\ndefault: record e\nhost: poll e every=59555ns\n"
     "host: d2d y[0:12] a[0:12]\nC: hostfn 0ns\nthread T1 {\n}\nA: record g\n"},
    {"ACopyWaitedLongerForItsEngineBetweenOthersWithTheCommands", "model:h200,copies.channels=1",
     "buffer x 8\nbuffer y 32768\nbuffer p 1 host=pageable\nbuffer w 32768\nbuffer m 1 host=managed\nstream B\n"
     "stream C\nstream D\nhost: create-stream made0\nmade0: spin 1ms\nB: record g\nrepeat 4 {\n  C: record e\n"
     "  default: wait g\n  C: d2h y[0:32651] to w[0:32651]\n  C: prefetch m[0:1] to=device\n"
     "  C: h2d y[0:11] from w[0:11]\n  C: prefetch m[0:1] to=host\n  C: h2d w[0:7] from x[0:7]\n  D: d2h p[0:1]\n"
     "}\n"},
    {"TheHostWroteABlockingCopyItself", "model:h200",
     "buffer x 131072\nbuffer y 64KiB\nbuffer p 1KiB\nbuffer a 8\nbuffer odd 1963\nstream B\nstream C\n"
     "streams S 1\nevent f\nthread T0 {\n  C: wait f\n  S0: reduce a[0:8] from x[0:108852] blocks=2\n"
     "  B: d2h y[0:63353] to y[0:63353]\n  default: reduce y[0:1056] from p[0:12]\n}\nhost: malloc t0 1\n"
     "host: free t0\nthread T1 {\n  host: memcpy h2d odd[0:1094]\n}\n"},
    {"AKernelWaitedForTheLastOfTwoNodesAndLongerForThat", "model:h200",
     "buffer x 32768\nbuffer y 0.5MiB\nbuffer p 32768 host=pageable\nbuffer m 1KiB host=managed\n"
     "buffer a 1048576 host=mapped\nbuffer odd 216\nstream B\nstream C\nstream D\nstreams S 5\nevent e\n"
     "graph G2 on S4 {\n  S4: memset a 0\n  S4: record G2mark0\n  S2: wait G2mark0\n  S2: h2d y[0:6] from x[0:6]\n"
     "  S4: d2h odd[0:186] to y[0:186]\n  S2: record G2mark2\n  C: wait G2mark2\n  C: record G2join2\n"
     "  S4: wait G2join2\n}\nS0: launch G2\nper-thread: d2h p[0:20357] to x[0:20357]\n"
     "repeat 4 as i0 {\n  B: record g\n}\nS0: tiles odd[0:12] fma=1\nD: prefetch m[0:1] to=host\n"
     "per-thread: wait e\nS0: spin 0ns\nS2: d2h p[0:1]\n"},
    {"AnEngineWasToldFreeAtTheInstantThatTheNextWasHandedOver", "model:workstation-pcie3",
     "default-stream per-thread\nbuffer x 2048KiB\nbuffer y {-0+8201}KiB\nbuffer p 32768\nbuffer w 32768\n"
     "buffer m 1MiB host=managed\nstreams S 3\nrepeat 5 as i1 {\n  repeat 2 as i2 {\n    S2: h2d y\n    repeat 3 {\n"
     "      host: create-stream made4\n      S{i2%3}: d2h y[0:1378844] to x[0:1378844] rows=665 width=1708\n"
     "      S{i1%3}: d2h w[0:1]\n      host: destroy made4\n      host: memcpy h2d p[0:23827] from w[0:23827]\n"
     "      S{i1%3}: h2d x[0:1]\n      S{i1%3}: hostfn 0ns\n    }\n    S{i1%3}: prefetch m[0:1] to=device\n  }\n}\n"},
};

struct FoundOnce : ::testing::TestWithParam<Once> {};

TEST_P(FoundOnce, StaysMended) {
  Tally tally;
  const Case one{std::string(GetParam().text), *device::parse_device(GetParam().device)};
  const auto broken = first_broken(one, 1, tally);
  EXPECT_FALSE(broken) << broken->property << ": " << broken->what;
  EXPECT_EQ(tally.refused, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, FoundOnce, ::testing::ValuesIn(kFound),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace streamscope::generated
