// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace plumb::test {

/// A home of the test program's own: HOME, every XDG folder and TMPDIR lie in a new folder, which goes away
/// with this object. A test sees neither the calibrations, own devices and settings of the person who runs
/// it, nor those of another test. Also takes over the locale of the environment, as Qt does in the window, so
/// that a run under a decimal comma tests every module with it. Made first in main(), before anything reads
/// the environment.
class TestEnvironment {
public:
    TestEnvironment();
    ~TestEnvironment();
    TestEnvironment(const TestEnvironment&) = delete;
    TestEnvironment& operator=(const TestEnvironment&) = delete;

private:
    std::string m_folder;
};

}  // namespace plumb::test
