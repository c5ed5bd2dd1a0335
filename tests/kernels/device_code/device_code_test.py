#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checks of check.py notice what they are for, in dumps that were written by hand."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import check
import rules
from dumps import Kernel, Usage, read_arithmetic, read_code, read_usage

COMMON = "_ZN5plumb4cuda12deviceKernelINS0_"
STORAGE = "LNS_6common7StorageE"
LOSS_BF16 = f"{COMMON}8LossBodyIL{STORAGE[1:]}2EEEEEvNT_9ArgumentsE"
ADAM_BF16 = f"{COMMON}10UpdateBodyINS0_10RulePolicyILNS_6common4RuleE8EEELNS4_7StorageE2ELS7_0EEEEEvNT_9ArgumentsE"


def code(*operations, behind=()):
    """A kernel whose loop holds these operations, between one load and one store of a single number; `behind` its end."""
    return straight(WAIT, "LDG.E R2, desc[UR4][R2.64]", *operations, "@P0 BRA 0x20", "STG.E.U16 desc[UR4][R2.64], R4", "EXIT",
                    *behind)


def straight(*operations):
    lines = [f"\t\tFunction : {LOSS_BF16}", '\t.headerflags\t@"EF_CUDA_SM90"']
    for index, operation in enumerate(operations):
        lines.append(f"        /*{16 * index:04x}*/                   {operation} ;       /* 0x000000 */")
        lines.append("                                                             /* 0x000fe2 */")
    return read_code(lines)[LOSS_BF16]


WAIT = "ACQBULK"
WIDE = ["LDG.E.EF.128 R4, desc[UR4][R2.64]", "LDG.E.EF.128 R8, desc[UR4][R2.64]", "FADD R4, R4, -R8",
        "STG.E.64 desc[UR4][R2.64], R4"]
SUM = ["SHFL.DOWN PT, R4, R4, 0x10, 0x1f"] * 10  # of one number in fp64
H200 = rules.ARCHITECTURES["sm_90"]


class Names(unittest.TestCase):
    def test_a_kernel_is_named_by_body_rule_and_storages(self):
        self.assertEqual(Kernel.of(ADAM_BF16).name, "Update<adam, bf16, fp32>")
        self.assertEqual(Kernel.of(LOSS_BF16).name, "Loss<bf16>")

    def test_a_kernel_that_is_no_body_keeps_its_name(self):
        self.assertEqual(Kernel.of("_ZN5plumb4cuda12_GLOBAL__N_17readAllEPK6float4PS2_l").name, "readAll")

    def test_other_functions_are_none_of_ours(self):
        self.assertIsNone(Kernel.of("__internal_accurate_pow"))


class Loops(unittest.TestCase):
    def findings(self, *operations, usage=None):
        return check.findings_of(Kernel.of(LOSS_BF16), usage or Usage(32, 0, 1024, 0), code(*operations, behind=SUM), H200)

    def test_a_wide_loop_between_narrow_ends_is_right(self):
        self.assertEqual(self.findings(*WIDE), [])

    def test_a_narrow_load_instead_of_a_wide_one_is_found(self):
        found = self.findings(*["LDG.E R4, desc[UR4][R2.64]"] * 4, *WIDE[1:])
        self.assertEqual(len(found), 1)
        self.assertIn("no loop has the accesses 2 loads of 128 bits, 1 stores of 64 bits", found[0])

    def test_a_narrow_access_beside_the_wide_ones_is_found(self):
        self.assertEqual(self.findings(*WIDE, "@!P1 STG.E.U16 desc[UR4][R2.64], R4"),
                         ["the loop at 0x20 has 1 stores of 16 bits"])

    def test_a_way_back_from_behind_the_end_is_no_loop(self):
        aside = ["SHFL.DOWN PT, R4, R4, R5, 0x1f", "BRA 0x0"]
        self.assertEqual(len(code(*WIDE, behind=aside).loops), 1)
        self.assertEqual(len(code(*WIDE, "@P1 BRA 0x0").loops), 2)

    def test_an_access_of_32_bytes_counts_as_two(self):
        self.assertEqual(self.findings("LDG.E.EF.ENL2.256 R8, R4, desc[UR4][R2.64]", *WIDE[2:]), [])

    def test_accesses_to_a_threads_own_memory_are_found(self):
        self.assertEqual(self.findings(*WIDE, "STL.64 [R1], R4", "@P2 LDL R4, [R1+0x8]"),
                         ["2 accesses to memory of a thread's own"])

    def test_a_frame_is_found(self):
        self.assertEqual(self.findings(*WIDE, usage=Usage(32, 16, 1024, 0)),
                         ["a thread has 16 bytes of memory of its own"])


class Waits(unittest.TestCase):
    def findings(self, *operations, name="sm_90", symbol=LOSS_BF16):
        lines = [f"\t\tFunction : {symbol}"]
        lines += [f"        /*{16 * index:04x}*/                   {operation} ;       /* 0x000000 */"
                  for index, operation in enumerate([*operations, "EXIT"])]
        return check.wait_findings(Kernel.of(symbol), read_code(lines)[symbol], rules.ARCHITECTURES[name])

    def test_a_wait_before_all_accesses_is_right(self):
        self.assertEqual(self.findings("LDC R1, c[0x0][0x28]", WAIT, "LDG.E R2, desc[UR4][R2.64]"), [])

    def test_a_kernel_without_a_wait_is_found(self):
        self.assertEqual(self.findings("LDG.E R2, desc[UR4][R2.64]"),
                         ["starts early and does not wait for what is in front of it"])

    def test_what_comes_before_the_wait_is_found(self):
        for operation in ("LDG.E R2, desc[UR4][R2.64]", "STG.E desc[UR4][R2.64], R4", "@P0 EXIT",
                          "ATOMG.E.ADD.STRONG.GPU PT, R2, desc[UR4][R2.64], R4", "RED.E.ADD desc[UR4][R2.64], R4"):
            self.assertEqual(self.findings("S2R R0, SR_TID.X", operation, WAIT),
                             ["touches memory or ends at 0x10, before it waits at 0x20"], operation)

    def test_only_what_starts_early_waits(self):
        wrong = ["waits for kernels in front of it, which it cannot overtake"]
        plain = "_ZN5plumb4cuda12_GLOBAL__N_17readAllEPK6float4PS2_l"
        self.assertEqual(self.findings(WAIT, name="sm_80"), wrong)
        self.assertEqual(self.findings(WAIT, symbol=plain), wrong)
        self.assertEqual(self.findings("LDG.E R2, desc[UR4][R2.64]", symbol=plain), [])


class Fp8(unittest.TestCase):
    KERNEL = Kernel("EncodeBody", "", ["bf16", "e4m3"], "Encode<bf16, e4m3, amax>", "amax")

    def findings(self, name, *operations):
        wide = ["STG.E.64 desc[UR4][R2.64], R4", "STG.E.64 desc[UR4][R2.64+0x8], R4"]
        return check.fp8_findings(self.KERNEL, code(*wide, *operations), rules.ARCHITECTURES[name])

    def test_an_architecture_with_instructions_has_to_use_them(self):
        pair = "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R4, R10, R13, RZ"
        self.assertEqual(self.findings("sm_90", pair), [])
        self.assertEqual(self.findings("sm_90"), ["has no instruction that converts fp8"])
        self.assertEqual(self.findings("sm_80"), [])

    def test_a_main_loop_that_has_grown_is_found(self):
        pair = "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R4, R10, R13, RZ"
        most = rules.MOST_INSTRUCTIONS[True][self.KERNEL.name]
        # The loop is closed by a branch.
        self.assertEqual(self.findings("sm_90", *[pair] * (most - 3)), [])
        self.assertEqual(self.findings("sm_90", *[pair] * (most - 2)),
                         [f"{most + 1} instructions in the main loop, {most} at most"])


class Sums(unittest.TestCase):
    HEAD = Kernel("HeadPassBody", "", ["bf16"], "HeadPass<bf16>")

    def findings(self, kernel, *operations):
        return check.sum_findings(kernel, code(*WIDE, *operations))

    def test_shuffles_within_a_warp_are_right(self):
        steps = [f"SHFL.DOWN PT, R4, R4, {stride:#x}, 0x1f" for stride in (16, 8, 4, 2, 1)]
        self.assertEqual(self.findings(self.HEAD, *steps), [])
        self.assertEqual(self.findings(Kernel.of(LOSS_BF16), *steps, *steps), [], "two words of fp64")
        self.assertEqual(self.findings(self.HEAD, *["REDUX.SUM UR4, R4"] * 5), [])

    def test_a_sum_through_shared_memory_is_found(self):
        through_memory = ["LDS R4, [R5+0x40]", "FADD R4, R4, R6", "STS [R5], R4", "WARPSYNC 0xffffffff"] * 5
        self.assertEqual(self.findings(self.HEAD, *through_memory),
                         ["0 shuffles, 5 at least: it adds up through memory"])
        half = ["SHFL.DOWN PT, R4, R4, 0x10, 0x1f"] * 5
        self.assertEqual(self.findings(Kernel.of(LOSS_BF16), *half), ["5 shuffles, 10 at least: it adds up through memory"])

    def test_sums_of_more_words_may_go_through_it(self):
        observed = Kernel.of(LOSS_BF16.replace("2EEEEE", "2ELNS0_7TalliesE2EEEEE"))
        for kernel in (observed, Kernel.of(ADAM_BF16), Kernel("readAll", "", [], "readAll")):
            self.assertEqual(self.findings(kernel), [], kernel.name)

    def test_a_body_of_which_nothing_is_said_is_found(self):
        self.assertEqual(self.findings(Kernel("NewBody", "", [], "New")), ["nothing is said of its sums in rules.py"])

    def test_the_rule_is_one_of_every_kernel(self):
        found = check.findings_of(self.HEAD, Usage(32, 0, 1024, 0), code(*WIDE), H200)
        self.assertIn("0 shuffles, 5 at least: it adds up through memory", found)


class EightNumbers(unittest.TestCase):
    """The way of finite numbers through a conversion, which passes over what others need."""
    KERNEL = Kernel("storeEight", "", [], "storeEight")

    def findings(self, before, passed, name="sm_90"):
        load = 2 + before  # addresses in 16s: what stands before, the loads and the branch
        operations = [*["LDG.E.128 R4, desc[UR4][R2.64]"] * 2, *["FSETP.LT.AND P0, PT, |R4|, +INF, P0"] * before,
                      f"@P0 BRA P2, {16 * (load + 1 + passed):#x}", *["LOP3.LUT R4, R4, 0x80000000, RZ, 0xc0, !PT"] * passed,
                      "STG.E.64 desc[UR4][R2.64], R12"]
        return check.fp8_findings(self.KERNEL, straight(*operations), rules.ARCHITECTURES[name])

    def test_are_counted_along_the_way_of_finite_ones(self):
        most = rules.ARCHITECTURES["sm_90"].most_to_convert
        self.assertEqual(self.findings(most - 1, 60), [])
        self.assertEqual(self.findings(most, 60), [f"{most + 1} instructions for eight finite numbers, {most} at most"])

    def test_without_instructions_for_it_are_not_counted(self):
        self.assertEqual(self.findings(200, 0, "sm_80"), [])


class TalliesNobodyAsksFor(unittest.TestCase):
    def findings(self, less, everything):
        """Of a loss whose loops have so many instructions of arithmetic more."""
        plain = LOSS_BF16.replace("2EEEEE", "2ELNS0_7TalliesE0EEEEE")
        observed = plain.replace("TalliesE0", "TalliesE2")
        codes = {symbol: code(*WIDE, *["DADD R4, R4, R8"] * more)
                 for symbol, more in ((plain, less), (observed, everything))}
        return list(check.tally_findings({symbol: Kernel.of(symbol) for symbol in codes}, codes))

    def test_kernels_are_named_by_what_they_look_at(self):
        names = [Kernel.of(LOSS_BF16.replace("2EEEEE", f"2ELNS0_7TalliesE{at}EEEEE")).name for at in range(3)]
        self.assertEqual(names, ["Loss<bf16>", "Loss<bf16, amax>", "Loss<bf16, all>"])

    def test_less_to_look_at_is_less_code(self):
        self.assertEqual(self.findings(0, 3), [])

    def test_code_for_what_nobody_asks_is_found(self):
        self.assertEqual(self.findings(4, 3),
                         ["Loss<bf16>: 9 instructions in the main loop, 8 in that of the kernel that looks at all"])


class Numbers(unittest.TestCase):
    def test_usage_is_read_by_function(self):
        lines = [" Common:", "  GLOBAL:0", f" Function {LOSS_BF16}:",
                 "  REG:40 STACK:8 SHARED:10248 LOCAL:0 CONSTANT[2]:24 CONSTANT[0]:528 TEXTURE:0 SURFACE:0 SAMPLER:0"]
        self.assertEqual(read_usage(lines), {LOSS_BF16: Usage(40, 8, 10248, 0)})

    def test_blocks_are_bound_by_registers_shared_memory_or_threads(self):
        blocks = [rules.resident_blocks(H200, usage)
                  for usage in (Usage(128, 0, 0, 0), Usage(80, 0, 0, 0), Usage(32, 0, 0, 0), Usage(32, 0, 60000, 0))]
        self.assertEqual(blocks, [(2, "registers"), (3, "registers"), (8, "threads"), (3, "shared memory")])


class Arithmetic(unittest.TestCase):
    def findings(self, *operations, name=LOSS_BF16):
        entry = [f".visible .entry {name}(", "\t.param .align 8 .b8 of[8]", ")", "{"]
        return check.arithmetic_findings(read_arithmetic([*entry, *(f"\t{line};" for line in operations)]))

    def test_sums_and_products_that_are_rounded_one_by_one_are_right(self):
        self.assertEqual(self.findings("mul.rn.f32 \t%f1, %f2, %f3", "add.rn.f64 \t%fd1, %fd2, %fd3",
                                       "div.rn.f32 \t%f1, %f2, %f3", "mad.lo.s32 \t%r1, %r2, %r3, %r4",
                                       "mul.wide.u32 \t%rd1, %r2, 4", "add.s64 \t%rd1, %rd2, 16"), [])

    def test_what_is_or_may_be_contracted_is_found(self):
        for line in ("fma.rn.f32 \t%f1, %f2, %f3, %f4", "mul.f32 \t%f1, %f2, %f3", "@%p1 add.f64 \t%fd1, %fd2, %fd3",
                     "fma.rn.bf16x2 \t%r1, %r2, %r3, %r4", "mul.f16x2 \t%r1, %r2, %r3"):
            self.assertEqual(len(self.findings(line)), 1, line)

    def test_what_is_not_exact_is_found(self):
        for line in ("div.full.f32 \t%f1, %f2, %f3", "sqrt.approx.f32 \t%f1, %f2", "mul.rn.ftz.f32 \t%f1, %f2, %f3"):
            self.assertEqual(len(self.findings(line)), 1, line)

    def test_the_tick_may_call_powers(self):
        tick = f"{COMMON}8TickBodyEEvNT_9ArgumentsE"
        self.assertEqual(self.findings("fma.rn.f64 \t%fd1, %fd2, %fd3, %fd4", name=tick), [])


if __name__ == "__main__":
    unittest.main()
