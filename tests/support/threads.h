// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace plumb::test {

/// Threads for a CPU backend in a test. The thread sanitizer cannot see how libgomp's threads wait for each
/// other (futexes of a library that is not built with it) and would report every parallel loop, so it gets
/// one; our own threads, those of the engine and its writer, are what it is there to check.
#if defined(__SANITIZE_THREAD__)
inline constexpr int kBackendThreads = 1;
#else
inline constexpr int kBackendThreads = 2;
#endif

}  // namespace plumb::test
