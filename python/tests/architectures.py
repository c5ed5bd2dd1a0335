# SPDX-License-Identifier: Apache-2.0
"""Tiny models of many classes, each as a function that returns (model, optimizer, step).

`step()` runs one whole training step on a fresh batch of the same size; everything is seeded.
"""

from __future__ import annotations

import warnings
from typing import Callable, NamedTuple, Optional

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class Training(NamedTuple):
    model: nn.Module
    optimizer: torch.optim.Optimizer
    step: Callable[[], Optional[torch.Tensor]]  # gives the loss where it has it
    close: Optional[Callable[[], None]] = None


def trained(model: nn.Module, batch: Callable[[], tuple], loss: Callable, around: Callable = None,
            scaler=None, make=torch.optim.AdamW, close=None) -> Training:
    optimizer = make(model.parameters(), lr=1e-3)

    def step() -> torch.Tensor:
        inputs, target = batch()
        optimizer.zero_grad()
        if around is None:
            value = loss(model(*inputs), target)
        else:
            with around():
                value = loss(model(*inputs), target)
        if scaler is None:
            value.backward()
            optimizer.step()
        else:
            scaler.scale(value).backward()
            scaler.step(optimizer)
            scaler.update()
        return value

    return Training(model, optimizer, step, close)


def vectors(rows: int, width: int, classes: int) -> Callable:
    return lambda: ((torch.randn(rows, width),), torch.randint(0, classes, (rows,)))


def tokens(rows: int, length: int, vocabulary: int) -> Callable:
    return lambda: ((torch.randint(0, vocabulary, (rows, length)),), torch.randint(0, vocabulary, (rows, length)))


def images(rows: int, size: int, classes: int) -> Callable:
    return lambda: ((torch.randn(rows, 3, size, size),), torch.randint(0, classes, (rows,)))


def token_loss(logits, target):
    return F.cross_entropy(logits.flatten(0, 1), target.flatten())


# --- models ------------------------------------------------------------------------------------------------------

class Mlp(nn.Sequential):
    def __init__(self, width=64, hidden=128, classes=10, dropout=0.0):
        super().__init__(nn.Linear(width, hidden), nn.ReLU(), nn.Dropout(dropout), nn.Linear(hidden, hidden),
                         nn.GELU(), nn.Linear(hidden, classes))


class Attention(nn.Module):
    """Heads of queries share heads of keys and values where there are fewer of those; rotary positions."""

    def __init__(self, width, heads, shared=None, rotary=False):
        super().__init__()
        self.heads, self.shared, self.size = heads, shared or heads, width // heads
        self.q = nn.Linear(width, heads * self.size, bias=False)
        self.k = nn.Linear(width, self.shared * self.size, bias=False)
        self.v = nn.Linear(width, self.shared * self.size, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.rotary = rotary

    def turn(self, x):
        angle = torch.arange(x.shape[-2], dtype=x.dtype)[:, None] * torch.linspace(1, 0.1, self.size // 2)
        left, right = x.chunk(2, dim=-1)
        return torch.cat((left * angle.cos() - right * angle.sin(), left * angle.sin() + right * angle.cos()), -1)

    def forward(self, x):
        rows, length, _ = x.shape
        q = self.q(x).view(rows, length, self.heads, self.size).transpose(1, 2)
        k = self.k(x).view(rows, length, self.shared, self.size).transpose(1, 2)
        v = self.v(x).view(rows, length, self.shared, self.size).transpose(1, 2)
        if self.rotary:
            q, k = self.turn(q), self.turn(k)
        if self.shared != self.heads:
            k = k.repeat_interleave(self.heads // self.shared, 1)
            v = v.repeat_interleave(self.heads // self.shared, 1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(rows, length, -1))


class SwiGlu(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate, self.up = nn.Linear(width, hidden, bias=False), nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class RmsNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class Experts(nn.Module):
    """Each token goes to one of the experts."""

    def __init__(self, width, hidden, count):
        super().__init__()
        self.router = nn.Linear(width, count)
        self.experts = nn.ModuleList(SwiGlu(width, hidden) for _ in range(count))

    def forward(self, x):
        flat = x.flatten(0, 1)
        weight, choice = self.router(flat).softmax(-1).max(-1)
        result = torch.zeros_like(flat)
        for number, expert in enumerate(self.experts):
            rows = (choice == number).nonzero().squeeze(-1)
            result = result.index_add(0, rows, expert(flat[rows]) * weight[rows, None])
        return result.view_as(x)


class Block(nn.Module):
    def __init__(self, width, attention, feed_forward, norm):
        super().__init__()
        self.norm1, self.norm2 = norm(width), norm(width)
        self.attention, self.feed_forward = attention, feed_forward

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.feed_forward(self.norm2(x))


class Decoder(nn.Module):
    def __init__(self, vocabulary=96, width=32, heads=4, shared=None, layers=2, norm=nn.LayerNorm, rotary=False,
                 feed_forward=None, tied=False, recompute: Optional[str] = None):
        super().__init__()
        feed_forward = feed_forward or (lambda: nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(),
                                                              nn.Linear(4 * width, width)))
        self.embedding = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(
            Block(width, Attention(width, heads, shared, rotary), feed_forward(), norm) for _ in range(layers))
        self.norm = norm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        if tied:
            self.head.weight = self.embedding.weight
        self.recompute = recompute

    def forward(self, ids):
        x = self.embedding(ids)
        for block in self.blocks:
            if self.recompute is None:
                x = block(x)
            else:
                x = checkpoint(block, x, use_reentrant=self.recompute == "reentrant")
        return self.head(self.norm(x))


class Encoder(nn.Module):
    def __init__(self, vocabulary=96, width=32, classes=4):
        super().__init__()
        layer = nn.TransformerEncoderLayer(width, 4, 64, batch_first=True)
        self.embedding = nn.Embedding(vocabulary, width)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(width, classes)

    def forward(self, ids):
        return self.head(self.layers(self.embedding(ids)).mean(1))


class ConvNet(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))


class UNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down1 = nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.GroupNorm(2, width), nn.SiLU())
        self.down2 = nn.Sequential(nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.SiLU())
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.out = nn.Conv2d(2 * width, 3, 3, padding=1)

    def forward(self, x):
        wide = self.down1(x)
        return self.out(torch.cat((wide, self.up(self.down2(wide))), 1))


class ViT(nn.Module):
    def __init__(self, width=32, patch=8, size=32, classes=10):
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, stride=patch)
        self.position = nn.Parameter(torch.zeros(1, (size // patch) ** 2, width))
        layer = nn.TransformerEncoderLayer(width, 4, 64, batch_first=True, norm_first=True, dropout=0.0)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2) + self.position
        return self.head(self.layers(x).mean(1))


class Recurrent(nn.Module):
    def __init__(self, kind, width=16, hidden=32, classes=5):
        super().__init__()
        self.layers = kind(width, hidden, num_layers=2, batch_first=True)
        self.head = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.head(self.layers(x)[0][:, -1])


# --- trainings ---------------------------------------------------------------------------------------------------

def decoder(**options) -> Training:
    return trained(Decoder(**options), tokens(8, 32, 96), token_loss)


def recurrent(kind) -> Training:
    return trained(Recurrent(kind), lambda: ((torch.randn(32, 12, 16),), torch.randint(0, 5, (32,))),
                   F.cross_entropy)


def single_rank():
    """A process group of one on gloo, and what ends it."""
    import tempfile

    import torch.distributed as dist

    file = tempfile.NamedTemporaryFile()
    dist.init_process_group("gloo", init_method=f"file://{file.name}", rank=0, world_size=1)

    def close() -> None:
        dist.destroy_process_group()
        try:
            file.close()
        except FileNotFoundError:
            pass  # the group took its file with it

    return close


def distributed_data_parallel() -> Training:
    close = single_rank()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = nn.parallel.DistributedDataParallel(Mlp())
    return trained(model, vectors(256, 64, 10), F.cross_entropy, close=close)


def shard(model: nn.Sequential) -> None:
    """FSDP2 on each layer with parameters, then on all."""
    from torch.distributed.device_mesh import init_device_mesh
    try:
        from torch.distributed.fsdp import fully_shard
    except ImportError:  # torch 2.4
        from torch.distributed._composable.fsdp import fully_shard

    mesh = init_device_mesh("cpu", (1,))
    for child in model:
        if any(True for _ in child.parameters()):
            fully_shard(child, mesh=mesh)
    fully_shard(model, mesh=mesh)


def fully_sharded() -> Training:
    from torch.distributed.fsdp import fully_shard  # noqa: F401  (torch 2.4 has it elsewhere, and no step of it on the CPU)

    close = single_rank()
    model = Mlp()
    shard(model)
    return trained(model, vectors(256, 64, 10), F.cross_entropy, close=close)


def autocast():
    return torch.autocast("cpu", dtype=torch.bfloat16)


def grad_scaler() -> Training:
    return trained(Mlp(), vectors(256, 64, 10), F.cross_entropy, around=autocast,
                   scaler=torch.amp.GradScaler("cpu"))


# Name -> how it is made, and the share of the allocator's peak that curve and libraries together may lack of it, beside a
# few bytes.
ARCHITECTURES: dict[str, tuple[Callable[[], Training], float]] = {
    "MLP": (lambda: trained(Mlp(), vectors(256, 64, 10), F.cross_entropy), 0),
    "MLP with dropout": (lambda: trained(Mlp(dropout=0.1), vectors(256, 64, 10), F.cross_entropy), 0),
    "transformer encoder": (lambda: trained(
        Encoder(), lambda: ((torch.randint(0, 96, (8, 32)),), torch.randint(0, 4, (8,))), F.cross_entropy), 0),
    "decoder, causal": (decoder, 0),
    "decoder, GQA RoPE SwiGLU": (lambda: decoder(
        shared=2, rotary=True, norm=RmsNorm, feed_forward=lambda: SwiGlu(32, 88)), 0),
    "mixture of experts": (lambda: decoder(feed_forward=lambda: Experts(32, 64, 4)), 0.01),  # routes differ by step
    "conv net, batch norm": (lambda: trained(ConvNet(), images(16, 32, 10), F.cross_entropy), 0),
    "U-Net": (lambda: trained(UNet(), lambda: ((torch.randn(4, 3, 16, 16),), torch.randn(4, 3, 16, 16)),
                              F.mse_loss), 0),
    "ViT": (lambda: trained(ViT(), images(16, 32, 10), F.cross_entropy), 0),
    "LSTM": (lambda: recurrent(nn.LSTM), 0),
    "GRU": (lambda: recurrent(nn.GRU), 0),
    "weight tying": (lambda: decoder(tied=True), 0),
    "checkpoint, reentrant": (lambda: decoder(recompute="reentrant"), 0),
    "checkpoint": (lambda: decoder(recompute="other"), 0),
    "autocast bf16": (lambda: trained(Decoder(), tokens(8, 32, 96), token_loss, around=autocast), 0),
    "GradScaler": (grad_scaler, 0),
    "DDP": (distributed_data_parallel, 0),
    "FSDP2": (fully_sharded, 0),
}
