// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/api.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <vector>

namespace plumb::cupti {

namespace {

constexpr const char* kCuptiFile = "libcupti.so.13";
/// Of the same toolkit, or of the same wheel of PyTorch, when the CUDA backend is loaded.
constexpr const char* kProductsFile = "libcublasLt.so.13";

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

#define PLUMB_LOOK(name) look(library, #name, api.name, missing);

/// The functions of a library, `missing` of which it lacks.
template <class Api>
Result<Api> complete(const Api& api, const char* missing, const std::string& library, const char* hint) {
    if (missing == nullptr) return api;
    return Error{ErrorCode::Unavailable, library + " lacks a function (" + missing + ")", hint};
}

/// The folder of a library that is loaded already, with every link followed, and a slash at its end; empty
/// where it is not loaded.
std::string folderOfLoaded(const char* name) {
    void* const library = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) return {};
    const link_map* map = nullptr;
    std::error_code problem;
    std::filesystem::path file;
    if (dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0)
        file = std::filesystem::canonical(map->l_name, problem);
    dlclose(library);
    return problem || file.empty() ? std::string() : file.parent_path().string() + "/";
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
    PLUMB_DRIVER_FUNCTIONS(PLUMB_LOOK)
    return complete(api, missing, "the NVIDIA driver", "install a complete driver");
}

}  // namespace

std::vector<std::string> usualCuptiFiles() {
    std::vector<std::string> files{kCuptiFile};
    std::vector<std::string> roots;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* root = std::getenv(variable); root != nullptr && *root == '/')
            roots.emplace_back(root);
    const auto addRoot = [&files](const std::string& root) {
        for (const char* folder : {"/extras/CUPTI/lib64/", "/lib64/", "/lib/"})
            files.push_back(root + folder + kCuptiFile);
    };
    for (const std::string& root : roots) addRoot(root);
    if (const std::string folder = folderOfLoaded(kProductsFile); !folder.empty())
        files.push_back(folder + kCuptiFile);
    addRoot("/usr/local/cuda");
    return files;
}

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
    PLUMB_CUPTI_FUNCTIONS(PLUMB_LOOK)
    return complete(api, missing, "this CUPTI", "install CUPTI from the CUDA Toolkit 13");
}

// Never unloaded: both keep threads and handlers of their own.
Result<const DriverApi*> loadDriver() {
    static const Result<DriverApi> loaded = openDriver();
    if (!loaded.has_value()) return loaded.error();
    return &loaded.value();
}

Result<const CuptiApi*> loadCupti() {
    static const Result<CuptiApi> loaded = loadCuptiFrom(usualCuptiFiles());
    if (!loaded.has_value()) return loaded.error();
    return &loaded.value();
}

}  // namespace plumb::cupti
