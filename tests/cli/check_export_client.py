# SPDX-License-Identifier: Apache-2.0
"""What `export` writes, read by the programs that it is written for: CLIENT is pyarrow, numpy, tensorboard or hta.

    check_export_client.py CLIENT

Exits with 77, skipped, where the client is not installed (pip install pyarrow numpy tensorboard HolisticTraceAnalysis).
"""

import csv
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CLIENT = sys.argv.pop(1)
try:
    if CLIENT == "pyarrow":
        import pyarrow.parquet
    elif CLIENT == "numpy":
        import numpy
    elif CLIENT == "tensorboard":
        from tensorboard.backend.event_processing import event_accumulator
    elif CLIENT == "hta":
        import logging
        import warnings
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        from hta.trace_analysis import TraceAnalysis
    else:
        sys.exit(f"no such client: {CLIENT}")
except ImportError:
    sys.exit(77)

CLI = os.environ["PLUMBLINE_CLI"]
STEPS = pathlib.Path(__file__).resolve().parent.parent / "data" / "step"
RECORDED, LOSSES = STEPS / "decoder.plumb", STEPS / "perceptron.plumb"  # without losses, and with
TABLES = ["", "tensors-", "memory-", "modules-", "timeline-", "training-"]


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="plumbline-client-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.run_cli("train", "--dim", "16", "--layers", "2", "--batch", "8", "--steps", "12", "--out", "t.plumb")
        cls.document = json.loads((cls.folder / "t.plumb").read_text())

    @classmethod
    def run_cli(cls, *arguments):
        environment = {**os.environ, "HOME": str(cls.folder), "XDG_DATA_HOME": str(cls.folder), "OMP_NUM_THREADS": "1",
                       "PLUMBLINE_CUDA_MODULE": "none"}
        subprocess.run([CLI, *map(str, arguments)], check=True, cwd=cls.folder, env=environment,
                       stdout=subprocess.DEVNULL)

    def write(self, form, file="t.plumb", out=None):
        path = self.folder / (out or form)
        self.run_cli("export", file, "--format", form, "--out", path)
        return path

    def table(self, prefix, file="t.plumb"):
        text = self.write(prefix + "csv", file).read_bytes().decode()
        return list(csv.DictReader(io.StringIO(text, newline="")))


class Parquet(Client):
    def test_every_table_is_read_equal_to_its_csv(self):
        for file in ("t.plumb", RECORDED, LOSSES):
            for prefix in TABLES:
                if file == RECORDED and prefix == "training-":
                    continue
                with self.subTest(file=str(file), table=prefix):
                    read = pyarrow.parquet.read_table(self.write(prefix + "parquet", file))
                    read.validate(full=True)
                    rows = self.table(prefix, file)
                    self.assertEqual(read.num_rows, len(rows))
                    for column in read.column_names:
                        kind = read.schema.field(column).type
                        for value, row in zip(read.column(column).to_pylist(), rows):
                            text = row[column]
                            if value is None:
                                self.assertEqual(text, "", column)
                            elif pyarrow.types.is_boolean(kind):
                                self.assertEqual(text, "true" if value else "false")
                            elif pyarrow.types.is_string(kind):
                                self.assertEqual(text.removeprefix("'"), value.removeprefix("'"), column)
                            else:
                                self.assertEqual(type(value)(text), value, column)

    def test_types_and_where_the_rows_are_from(self):
        file = pyarrow.parquet.ParquetFile(self.write("tensors-parquet"))
        types = {field.name: str(field.type) for field in file.schema_arrow}
        self.assertEqual(types["bytes"], "int64")
        self.assertEqual(types["name"], "string")
        self.assertEqual(types["is_there_before_the_step"], "bool")
        self.assertIn("B 8", file.metadata.metadata[b"plumbline.step"].decode())
        self.assertEqual(file.metadata.num_row_groups, 1)

    def test_more_rows_than_a_page_and_names_of_a_stranger(self):
        document = json.loads(json.dumps(self.document))
        records = document["measured"]["timeline"]["records"]
        for column in records:
            if records[column] is not None:
                records[column] = (records[column] * (200_000 // len(records[column]) + 1))[:200_000]
        document["measured"]["timeline"]["names"] = ["a\"b\n\x1b漢"]
        records["name"] = [0 if i % 3 else None for i in range(200_000)]
        (self.folder / "long.plumb").write_text(json.dumps(document))
        read = pyarrow.parquet.read_table(self.write("timeline-parquet", "long.plumb"))
        read.validate(full=True)
        self.assertEqual(read.num_rows, 200_000)
        self.assertEqual(read.column("name").to_pylist().count("a\"b\n\x1b漢"), sum(i % 3 > 0 for i in range(200_000)))


class NumPy(Client):
    def test_curves_are_read_equal_to_their_csv(self):
        for prefix in ("memory-", "timeline-", "training-"):
            with self.subTest(prefix):
                array = numpy.load(self.write(prefix + "npy"), allow_pickle=False)
                rows = self.table(prefix)
                self.assertEqual(array.shape, (len(rows),))
                self.assertGreater(len(array.dtype.names), 3)
                for name in array.dtype.names:
                    for value, row in zip(array[name].tolist(), rows):
                        if row[name] == "":
                            self.assertTrue(math.isnan(value))
                        else:
                            self.assertEqual(type(value)(row[name]), value)
        memory = numpy.load(self.folder / "memory-npy")
        self.assertEqual(memory["measured_bytes"].max(), self.document["measured"]["memory"]["peak_bytes"])

    def test_losses_of_a_recording_are_those_of_its_file(self):
        array = numpy.load(self.write("training-npy", LOSSES), allow_pickle=False)
        losses = json.loads(LOSSES.read_text())["losses"]
        self.assertEqual((array["step"].tolist(), array["loss"].tolist()), (losses["step"], losses["loss"]))


class TensorBoard(Client):
    def test_it_finds_losses_and_times_of_a_recording_and_nothing_else(self):
        folder = self.folder / "recorded"
        folder.mkdir()
        self.write("tensorboard", LOSSES, "recorded/events.out.tfevents.plumbline")
        read = event_accumulator.EventAccumulator(str(folder))
        read.Reload()
        losses = json.loads(LOSSES.read_text())["losses"]
        self.assertEqual([(event.step, event.value) for event in read.Scalars("loss/train")],
                         list(zip(losses["step"], losses["loss"])))
        document = json.loads(LOSSES.read_text())
        clean = [step for step, kind in zip(losses["step"], losses["pass"]) if kind == "T"]
        times = read.Scalars("step_seconds")
        self.assertEqual([event.step for event in times], clean)
        for event, seconds in zip(times, document["measured"]["step_seconds"], strict=True):
            self.assertAlmostEqual(event.value, seconds, delta=seconds * 1e-6)
        self.assertEqual(read.Tags()["scalars"], ["loss/train", "step_seconds"])

    def test_its_reader_finds_every_loss(self):
        folder = self.folder / "run"
        folder.mkdir()
        self.write("tensorboard", out="run/events.out.tfevents.plumbline")
        read = event_accumulator.EventAccumulator(str(folder))
        read.Reload()
        training = self.document["training"]
        scalars = read.Scalars("loss/train")
        self.assertEqual([event.step for event in scalars], training["step"])
        for event, loss in zip(scalars, training["loss"]):
            self.assertAlmostEqual(event.value, loss, delta=abs(loss) * 1e-6)
        self.assertLessEqual({"loss/train", "gradient_norm", "learning_rate", "update_ratio"}, set(read.Tags()["scalars"]))
        times = [event.wall_time for event in scalars]
        self.assertEqual(times, sorted(times))
        self.assertAlmostEqual(times[-1] - times[0], training["seconds"][-1] - training["seconds"][0], delta=1e-5)


def with_kernels(document):
    """The snapshot as a GPU would have measured it: each op launches a kernel of 20 us that begins 5 us later."""
    ops = len(document["measured"]["ops"])
    records = []
    correlation = 0
    for step in range(3):
        for op in range(ops):
            begin = 1e-3 * step + 3e-5 * op
            correlation += 1
            records += [(begin, begin + 1e-5, 0, "op", op, 0, -1), (begin + 1e-6, begin + 4e-6, 2, "call", -1, correlation, 1),
                        (begin + 6e-6, begin + 26e-6, 1, "kernel", op, correlation, 0)]
    records.sort(key=lambda record: (record[2], record[0], -record[1]))
    kinds = ["op", "kernel", "copy", "memset", "memory", "call"]
    columns = dict(zip(("begin", "end", "lane", "kind", "op", "correlation", "name"), map(list, zip(*records))))
    for name, absent in (("op", -1), ("correlation", 0), ("name", -1)):
        columns[name] = [None if value == absent else value for value in columns[name]]
    columns["kind"] = [kinds.index(kind) for kind in columns["kind"]]
    document["measured"]["timeline"] = {
        "source": "activity", "dropped": 0, "names": ["ampere_bf16_s1688gemm_128x128", "cudaLaunchKernel"],
        "lanes": [{"kind": "ops", "name": "ops"}, {"kind": "stream", "name": "stream 7"}, {"kind": "host", "name": "thread 1"}],
        "steps": [{"step": step, "begin": 1e-3 * step, "end": 1e-3 * (step + 1)} for step in range(3)], "records": columns}
    return document


class HolisticTraceAnalysis(Client):
    def analysed(self, file):
        path = self.write("chrome-trace", file, "trace.json")
        return TraceAnalysis(trace_files={0: str(path)}, trace_dir=str(self.folder))

    def test_it_finds_the_kernels_of_every_step(self):
        (self.folder / "gpu.plumb").write_text(json.dumps(with_kernels(json.loads(json.dumps(self.document)))))
        analysis = self.analysed("gpu.plumb")
        ops = len(self.document["measured"]["ops"])
        table = analysis.get_temporal_breakdown(visualize=False)
        self.assertEqual(int(table["compute_time(us)"].iloc[0]), 3 * ops * 20)
        kinds, kernels = analysis.get_gpu_kernel_breakdown(visualize=False)
        self.assertEqual(int(kernels["sum (us)"].sum()), 3 * ops * 20)
        launches = analysis.get_cuda_kernel_launch_stats(visualize=False)[0]
        self.assertEqual(len(launches), 3 * ops)
        self.assertEqual(set(launches["gpu_duration"]), {20})
        self.assertEqual(set(launches["cpu_duration"]), {3})

    def test_it_reads_the_trace_of_a_recorded_step(self):
        trace = self.analysed(RECORDED).t
        events = trace.get_trace(0)
        ops = json.loads(RECORDED.read_text(encoding="utf-8"))["ops"]
        names = trace.symbol_table.get_sym_table()
        self.assertEqual(sum(names[cat] == "cpu_op" for cat in events["cat"]), len(ops["id"]))
        self.assertEqual(set(events["iteration"]) - {0, -1, 1}, set())


if __name__ == "__main__":
    tests = {"pyarrow": "Parquet", "numpy": "NumPy", "tensorboard": "TensorBoard", "hta": "HolisticTraceAnalysis"}
    unittest.main(argv=[sys.argv[0], tests[CLIENT]])
