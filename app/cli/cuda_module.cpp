// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cuda_module.h"

#include "app/cli/for_people.h"
#include "app/cli/library_file.h"
#include "app/cli/module_file.h"
#include "kernels/common/nvidia_driver.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <string_view>

namespace plumb::cli {

namespace {

constexpr std::string_view kUseCpu = forPeople("use the CPU");

/// "libcublasLt.so.13" of "libcublasLt.so.13: cannot open shared object file: No such file or directory".
std::string missingLibrary(std::string_view text) {
    const std::size_t end = text.find(": cannot open shared object file");
    return end == std::string_view::npos ? std::string() : std::string(text.substr(0, end));
}

}  // namespace

Result<const cuda::Module*> loadCudaModule(const std::string& path) {
    const auto unavailable = [](std::string message, std::string_view hint) {
        return Error{ErrorCode::Unavailable, std::move(message), std::string(hint)};
    };
    if (path.empty())
        return unavailable(
            fmt::format("this installation has no CUDA backend ({:s} is not there)", kCudaModuleFile),
            "install a build for CUDA, or use the CPU");
    if (const std::string reason = whyNotLoadable(path); !reason.empty())
        return unavailable(fmt::format("the CUDA backend cannot be loaded ({:s}: {})", path, reason),
                           "install it again, or use the CPU");
    // Never unloaded: what it made is used until the program ends.
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* const told = dlerror();
        const std::string reason = told != nullptr ? told : forPeople("no reason is known");
        const std::string missing = missingLibrary(reason);
        if (missing.empty() || missing == path)
            return unavailable(fmt::format("the CUDA backend cannot be loaded ({})", reason), kUseCpu);
        return unavailable(
            fmt::format("a library of CUDA is not installed ({:s})", missing),
            "install the CUDA libraries of the version that this program was built with, or use the CPU");
    }
    const auto entry = reinterpret_cast<cuda::EntryPoint>(dlsym(library, cuda::kEntryName));
    const cuda::Module* const module = entry != nullptr ? entry() : nullptr;
    if (module == nullptr || module->magic != cuda::kModuleMagic)
        return unavailable(fmt::format("the file is no CUDA backend of Plumbline ({:s})", path), kUseCpu);
    if (std::string_view(module->build) != cuda::kModuleBuild)
        return unavailable(fmt::format("the CUDA backend is of another build ({:s}, this program is {:s})",
                                       module->build, cuda::kModuleBuild),
                           "install both from one package, or use the CPU");
    return module;
}

Result<const cuda::Module*> cudaModule() {
    static const Result<const cuda::Module*> module = []() -> Result<const cuda::Module*> {
        const ModuleFile file = findModule(kCudaModuleFile, "PLUMBLINE_CUDA_MODULE");
        // The module brings its libraries along, cuBLASLt alone 640 MB: nothing is loaded to learn that there
        // is no driver. The module itself knows which version of the driver it needs.
        if (!file.path.empty() && !file.isNamed)
            PLUMB_CHECK(common::judgeDriver(common::probeDriver(), common::kAnyRuntime));
        return loadCudaModule(file.path);
    }();
    return module;
}

}  // namespace plumb::cli
