// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_environment.h"

#include <array>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace plumb::test {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<const char*, const char*>, 9> kFolders{{{"HOME", "."},
                                                                       {"XDG_CONFIG_HOME", "config"},
                                                                       {"XDG_DATA_HOME", "data"},
                                                                       {"XDG_CACHE_HOME", "cache"},
                                                                       {"XDG_STATE_HOME", "state"},
                                                                       {"XDG_RUNTIME_DIR", "runtime"},
                                                                       {"XDG_CONFIG_DIRS", "system"},
                                                                       {"XDG_DATA_DIRS", "system"},
                                                                       {"TMPDIR", "tmp"}}};

[[noreturn]] void refuse(std::string_view sentence) {
    std::fprintf(stderr, "test: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
    std::exit(2);
}

/// A run that asks for a locale which is not there would test the C locale once more and say nothing.
void takeLocale() {
    const char* const asked = std::getenv("LC_ALL");
    if (std::setlocale(LC_ALL, "") == nullptr && asked != nullptr && *asked != '\0')
        refuse("the locale that LC_ALL asks for is not installed");
}

}  // namespace

TestEnvironment::TestEnvironment() {
    takeLocale();
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "plumbline-home-XXXXXX").string();
    if (failed || ::mkdtemp(name.data()) == nullptr) refuse("no folder for temporary files can be written");
    m_folder = name;
    for (const auto& [variable, folder] : kFolders) {
        const fs::path path = (fs::path(m_folder) / folder).lexically_normal();
        fs::create_directories(path, failed);
        ::setenv(variable, path.c_str(), 1);
    }
    // Qt wants this folder for itself alone.
    fs::permissions(fs::path(m_folder) / "runtime", fs::perms::owner_all, failed);
}

TestEnvironment::~TestEnvironment() {
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
}

}  // namespace plumb::test
