// SPDX-License-Identifier: Apache-2.0
// A trace of any length, as Kineto writes it: ops with a launch and a kernel each, on two streams.
#pragma once

#include "core/trace/text_source.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace plumb::trace {

inline constexpr std::string_view kMadeBegin = "{\n  \"schemaVersion\": 1,\n  \"traceEvents\": [\n";
inline constexpr std::string_view kMadeEnd =
    "  {\"ph\": \"X\", \"name\": \"end\", \"ts\": 4458676983543.000, \"dur\": 0}\n  ]\n}\n";

inline std::string madeTimes(std::int64_t begin, std::int64_t duration) {
    const auto micro = [](std::int64_t ns) {
        const std::string rest = std::to_string(ns % 1000);
        return std::to_string(ns / 1000) + "." + std::string(3 - rest.size(), '0') + rest;
    };
    return "\"ts\": " + micro(begin) + ", \"dur\": " + micro(duration);
}

/// An op, its launch, the kernel and the two ends of the arrow between them, as Kineto writes them.
inline void appendMade(std::string& text, std::int64_t number) {
    static constexpr const char* kKernels[]{
        "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, "
        "at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, "
        "at::detail::Array<char*, 3>)",
        "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_kernel__5x_"
        "cublas",
        "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4> "
        ">(pytorch_flash::Flash_fwd_params)",
        "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"};
    const std::int64_t begin = 4'458'676'983'543'000 + number * 20'000;
    const std::string id = std::to_string(number + 1);
    const std::string stream = number % 4 == 3 ? "20" : "7";
    text += "  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::op" +
            std::to_string(number % 300) + "\", \"pid\": 4211, \"tid\": 4211,\n    " +
            madeTimes(begin, 15'000) + ",\n    \"args\": {\n      \"External id\": " + id +
            ",\"Record function id\": 0, \"Sequence number\": " + id +
            ", \"Fwd thread id\": 0, \"Input Dims\": [[512, 1024], [1024, 1024], []], \"Input type\": "
            "[\"c10::BFloat16\", \"c10::BFloat16\", \"Scalar\"]\n    }\n  },\n";
    text += "  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": "
            "4211, \"tid\": 4211,\n    " +
            madeTimes(begin + 3'000, 5'000) + ",\n    \"args\": {\n      \"External id\": " + id +
            ",\"cbid\": 211, \"correlation\": " + id + "\n    }\n  },\n";
    text += "  {\n    \"ph\": \"s\", \"id\": " + id +
            ", \"pid\": 4211, \"tid\": 4211, \"ts\": 4458676983543.183,\n    \"cat\": \"ac2g\", \"name\": "
            "\"ac2g\"\n  },\n";
    text +=
        "  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"" + std::string(kKernels[number % 4]) +
        "\", \"pid\": 0, \"tid\": " + stream + ",\n    " +
        madeTimes(begin + 30'000, 12'000 + number % 7'000) +
        ",\n    \"args\": {\n      \"External id\": " + id +
        ",\"queued\": 0, \"device\": 0, \"context\": 1, \"stream\": " + stream + ", \"correlation\": " + id +
        ", \"registers per thread\": 40, \"shared memory\": 400, \"blocks per SM\": 4.740741, \"warps per "
        "SM\": 75.851852, \"grid\": [512, 1, 1], \"block\": [512, 1, 1], \"est. achieved occupancy %\": 75\n "
        "   }\n  },\n";
    text += "  {\n    \"ph\": \"f\", \"id\": " + id + ", \"pid\": 0, \"tid\": " + stream +
            ", \"ts\": 4458676983543.183,\n    \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"\n  },\n";
}

/// The text of so many ops, made while it is read: nothing is written and little is held.
class MadeText final : public TextSource {
public:
    explicit MadeText(std::int64_t ops) : m_ops(ops), m_text(kMadeBegin) {}
    Result<std::size_t> read(std::span<char> room) override {
        while (m_text.size() - m_at < room.size() && m_next <= m_ops) {
            if (m_at > 0) m_text.erase(0, m_at);
            m_at = 0;
            if (m_next < m_ops)
                appendMade(m_text, m_next);
            else
                m_text += kMadeEnd;
            ++m_next;
        }
        const std::size_t count = std::min(room.size(), m_text.size() - m_at);
        std::memcpy(room.data(), m_text.data() + m_at, count);
        m_at += count;
        return count;
    }
    [[nodiscard]] double share() const override { return 0; }
    [[nodiscard]] std::uint64_t fileBytes() const override { return 0; }

private:
    std::int64_t m_ops;
    std::int64_t m_next = 0;
    std::string m_text;
    std::size_t m_at = 0;
};

}  // namespace plumb::trace
