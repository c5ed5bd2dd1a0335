#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records cpu.json.gz and cpu_stack.json.gz beside it with torch's own profiler: record_cpu.py [FOLDER]

Both are of two steps of a small model on the CPU, the second with stacks and modules.
"""

import gzip
import re
import sys
import tempfile
from pathlib import Path

import torch


def record(path, **options):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = torch.profiler.schedule(wait=0, warmup=1, active=2, repeat=1)

    def write(profiler):
        with tempfile.TemporaryDirectory() as folder:
            raw = Path(folder) / "trace.json"
            profiler.export_chrome_trace(str(raw))
            text = re.sub(r'"host_name": "[^"]*"', '"host_name": "recorded"', raw.read_text().replace(folder, ""))
        path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))

    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], schedule=schedule, on_trace_ready=write,
                                **options) as profiler:
        for _ in range(3):
            loss = model(torch.randn(8, 16)).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            profiler.step()


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    record(folder / "cpu.json.gz", record_shapes=True, profile_memory=True)
    record(folder / "cpu_stack.json.gz", record_shapes=True, with_stack=True)


if __name__ == "__main__":
    main()
