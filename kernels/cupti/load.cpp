// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/api.h"

#include <cstdlib>
#include <dlfcn.h>
#include <vector>

namespace plumb::cupti {

namespace {

constexpr const char* kCuptiFile = "libcupti.so.13";

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// CUPTI opens its host library with RTLD_DEEPBIND, upon which these sanitizers end the program.
constexpr bool kSurvivesCupti = false;
#else
constexpr bool kSurvivesCupti = true;
#endif

/// The first name of a function that `library` lacks, or null when all are there.
template <class Function>
void look(void* library, const char* name, Function& function, const char*& missing) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr && missing == nullptr) missing = name;
}

/// Where toolkits put the library that is not on the loader's path; never relative to the current folder.
std::vector<std::string> usualFiles() {
    std::vector<std::string> files{kCuptiFile};
    std::vector<std::string> roots;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* root = std::getenv(variable); root != nullptr && *root == '/')
            roots.emplace_back(root);
    roots.emplace_back("/usr/local/cuda");
    for (const std::string& root : roots)
        for (const char* folder : {"/extras/CUPTI/lib64/", "/lib64/", "/lib/"})
            files.push_back(root + folder + kCuptiFile);
    return files;
}

/// Opens the libraries that CUPTI opens by their bare names later, where they lie beside it: the folder of a
/// toolkit is often not on the loader's path, and what is open already is found by its name. Where they are
/// not there CUPTI says so itself.
void openCompanions(const std::string& cupti) {
    const std::size_t slash = cupti.rfind('/');
    if (slash == std::string::npos) return;  // found on the loader's path, as its companions are
    for (const char* name : {"libnvperf_host.so", "libnvperf_target.so"})
        dlopen((cupti.substr(0, slash + 1) + name).c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
}

Result<DriverApi> openDriver() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return Error{ErrorCode::Unavailable, "there is no NVIDIA driver (libcuda.so.1)",
                     "install it, or use the CPU and saved snapshots"};
    DriverApi api;
    const char* missing = nullptr;
#define PLUMB_LOOK(name) look(library, #name, api.name, missing);
    PLUMB_DRIVER_FUNCTIONS(PLUMB_LOOK)
#undef PLUMB_LOOK
    if (missing == nullptr) return api;
    return Error{ErrorCode::Unavailable, std::string("the NVIDIA driver lacks a function (") + missing + ")",
                 "install a complete driver"};
}

}  // namespace

Result<CuptiApi> loadCuptiFrom(std::span<const std::string> candidates) {
    if (!kSurvivesCupti)
        return Error{ErrorCode::Unavailable, "CUPTI cannot be loaded in a build with this sanitizer",
                     "build without PLUMBLINE_SANITIZE"};
    void* library = nullptr;
    for (const std::string& file : candidates) {
        library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) continue;
        openCompanions(file);
        break;
    }
    if (library == nullptr)
        return Error{ErrorCode::Unavailable, std::string("CUPTI is not there (") + kCuptiFile + ")",
                     "install it from the CUDA Toolkit 13, or set CUDA_HOME to the toolkit's folder"};
    CuptiApi api;
    const char* missing = nullptr;
#define PLUMB_LOOK(name) look(library, #name, api.name, missing);
    PLUMB_CUPTI_FUNCTIONS(PLUMB_LOOK)
#undef PLUMB_LOOK
    if (missing == nullptr) return api;
    return Error{ErrorCode::Unavailable, std::string("this CUPTI lacks a function (") + missing + ")",
                 "install CUPTI from the CUDA Toolkit 13"};
}

// Never unloaded: both keep threads and handlers of their own.
Result<const DriverApi*> loadDriver() {
    static const Result<DriverApi> loaded = openDriver();
    if (!loaded.has_value()) return loaded.error();
    return &loaded.value();
}

Result<const CuptiApi*> loadCupti() {
    static const Result<CuptiApi> loaded = loadCuptiFrom(usualFiles());
    if (!loaded.has_value()) return loaded.error();
    return &loaded.value();
}

}  // namespace plumb::cupti
