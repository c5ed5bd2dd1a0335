// SPDX-License-Identifier: Apache-2.0
// A tool in the place of Nsight's, which NVTX loads by NVTX_INJECTION64_PATH: writes the ranges that it is
// told into the file that FAKE_NVTX_OUT names, one a line, indented by how deep they are nested.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

// All that a tool needs of a domain is to know it again.
int g_domain = 0;
int g_depth = 0;

std::FILE* out() {
    static std::FILE* const file = [] {
        const char* const path = std::getenv("FAKE_NVTX_OUT");
        return path != nullptr ? std::fopen(path, "a") : nullptr;
    }();
    return file;
}

nvtxDomainHandle_t createDomain(const char* name) {
    if (std::strcmp(name, "plumbline") != 0) return nullptr;
    return reinterpret_cast<nvtxDomainHandle_t>(&g_domain);
}

int pushRange(nvtxDomainHandle_t /*domain*/, const nvtxEventAttributes_t* attributes) {
    if (out() != nullptr) {
        std::fprintf(out(), "%*s%s\n", 2 * g_depth, "", attributes->message.ascii);
        std::fflush(out());
    }
    return g_depth++;
}

int popRange(nvtxDomainHandle_t /*domain*/) {
    if (g_depth == 0 && out() != nullptr) std::fputs("a range ends that was not begun\n", out());
    return --g_depth;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int
InitializeInjectionNvtx2(NvtxGetExportTableFunc_t table);

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t table) {
    const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable functions = nullptr;
    unsigned size = 0;
    if (callbacks == nullptr ||
        callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &functions, &size) == 0)
        return 0;
    *functions[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(createDomain);
    *functions[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(pushRange);
    *functions[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(popRange);
    return 1;
}
