#!/usr/bin/env python3
"""Trains the static embedding on one GPU (or, slowly, without): train.py DATA OUT [options].

DATA is what encode.mjs wrote. OUT gets model.int8.bin, vocab.txt and meta.json: a folder that the product can load.
A text is the weighted sum of its token vectors; questions and code meet by symmetric InfoNCE. Compare weights with
the retrieval bench, never by the loss: more steps lower the loss and the ranking both.
"""
import argparse
import copy
import json
import math
import os
import shutil
import time

import numpy as np
import torch
import torch.nn.functional as F

BUCKETS = 512
NGRAMS = 1 << 17
# Texts by which tables are joined.
SAMPLE = 60_000
DOCUMENT, PATH, QUESTION = 112, 10, 32
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("out")
    parser.add_argument("--name", default="static-code-256")
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=int, default=16, help="tables that are trained, each with its own seed, and joined")
    parser.add_argument("--in-repository", type=float, default=0.8, help="share of batches from few repositories")
    parser.add_argument("--repositories", type=int, default=4, help="how many those are")
    parser.add_argument("--neighbours", type=float, default=0.12, help="questions replaced by code of the same file")
    parser.add_argument("--joined", type=float, default=0.7, help="documents joined with the next of the same file")
    parser.add_argument("--path-weight", type=int, default=12)
    parser.add_argument("--without", default="", help="kinds of questions to leave out, as letters")
    return parser.parse_args()


class Data:
    """The arrays of encode.mjs on the device; documents have their path words first."""

    def __init__(self, folder):
        read = lambda name, kind: np.fromfile(os.path.join(folder, name), dtype=kind)
        lengths = {name: read(f"{name}.u8", np.uint8).astype(np.int64) for name in ("dl", "pl", "nq", "ql", "qk", "ff")}
        self.words = [word for word in open(os.path.join(folder, "vocab.txt")).read().split("\n") if word]
        self.rows = len(self.words) + BUCKETS
        self.documents = padded(read("dtok.u16", np.uint16), lengths["dl"] + lengths["pl"], DOCUMENT)
        self.questions = padded(read("qtok.u16", np.uint16), lengths["ql"], QUESTION)
        self.path_length = torch.from_numpy(lengths["pl"]).to(DEVICE)
        self.kind = torch.from_numpy(lengths["qk"]).to(DEVICE)
        self.file = torch.from_numpy(np.cumsum(lengths["ff"] == 0)).to(DEVICE)
        owner = np.repeat(np.arange(len(lengths["dl"])), lengths["nq"])
        self.owner = torch.from_numpy(owner).to(DEVICE)
        counts = [count for _, count in json.load(open(os.path.join(folder, "repos.json")))]
        repository = np.repeat(np.arange(len(counts)), counts)[owner]
        self.first = np.searchsorted(repository, np.arange(len(counts)))
        self.last = np.searchsorted(repository, np.arange(len(counts)), side="right")
        used = np.minimum(self.last - self.first, 20000) ** 0.7
        self.share = used / used.sum()

    def without(self, kinds):
        """The same data without the questions of some kinds."""
        keep = ~np.isin(self.kind.cpu().numpy(), [ord(kind) for kind in kinds])
        rest = copy.copy(self)
        chosen = torch.from_numpy(keep).to(DEVICE)
        rest.questions, rest.kind, rest.owner = self.questions[chosen], self.kind[chosen], self.owner[chosen]
        before = np.concatenate([[0], np.cumsum(keep)])
        rest.first, rest.last = before[self.first], before[self.last]
        return rest

    def draw(self, rng, count, few, repositories):
        """Question numbers: from a few repositories, whose negatives are hard, or from all."""
        if few:
            able = np.count_nonzero(self.share)
            chosen = rng.choice(len(self.share), size=min(repositories, able), replace=False, p=self.share)
            parts = [
                self.first[one] + rng.choice(self.last[one] - self.first[one], replace=False,
                                             size=min(count // len(chosen), self.last[one] - self.first[one]))
                for one in chosen
            ]
            return np.concatenate(parts)
        chosen = rng.choice(len(self.share), size=count, p=self.share)
        return (self.first[chosen] + rng.random(count) * (self.last[chosen] - self.first[chosen])).astype(np.int64)


def padded(tokens, lengths, width):
    tokens = torch.from_numpy(tokens.astype(np.int32)).to(DEVICE)
    starts = torch.from_numpy(np.concatenate([[0], np.cumsum(lengths)[:-1]])).to(DEVICE)
    lengths = torch.from_numpy(lengths).to(DEVICE)
    out = torch.zeros((len(lengths), width), dtype=torch.int32, device=DEVICE)
    place = torch.arange(width, device=DEVICE)[None]
    for at in range(0, len(lengths), 200_000):
        index = (starts[at:at + 200_000, None] + place).clamp(max=len(tokens) - 1)
        out[at:at + 200_000] = torch.where(place < lengths[at:at + 200_000, None], tokens[index], 0)
    return out


def counted(ids):
    """Distinct ids of each row with their counts; the other places are 0."""
    ordered, _ = ids.sort(dim=1)
    new = torch.ones_like(ordered, dtype=torch.bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    place = torch.arange(ordered.shape[1], device=DEVICE).expand_as(ordered)
    start = torch.where(new, place, ordered.shape[1]).flip(1).cummin(1).values.flip(1)
    following = torch.cat([start[:, 1:], torch.full_like(start[:, :1], ordered.shape[1])], 1)
    counts = torch.where(new & (ordered > 0), following - place, 0)
    return torch.where(new, ordered, 0), counts.float()


class Sparse(torch.autograd.Function):
    """A constant sparse matrix, given with its transpose, times a dense one."""

    @staticmethod
    def forward(context, matrix, transposed, dense):
        context.transposed = transposed
        return matrix @ dense

    @staticmethod
    def backward(context, slope):
        return None, None, context.transposed @ slope.contiguous()


def sparse_pair(rows, columns, values, height, width):
    """Compressed matrix and transpose from entries sorted by row."""
    def compressed(major, minor, entries, count, other):
        starts = torch.zeros(count + 1, dtype=torch.int64, device=DEVICE)
        starts[1:] = torch.bincount(major, minlength=count).cumsum(0)
        return torch.sparse_csr_tensor(starts.int(), minor.int(), entries, (count, other), check_invariants=False)
    order = torch.argsort(columns, stable=True)
    return (compressed(rows, columns, values, height, width),
            compressed(columns[order], rows[order], values[order], width, height))


def bag(ids, weights, table):
    """The weighted sum of table rows for each row of ids."""
    used = weights > 0
    matrix, transposed = sparse_pair(used.nonzero()[:, 0], ids[used], weights[used], ids.shape[0], table.shape[0])
    return Sparse.apply(matrix, transposed, table)


def ngram_pair(words, rows):
    """Which character 3- to 5-grams each word has: rare words learn through what they are spelt like."""
    owners, grams, scale = [], [], []
    for number, word in enumerate(words):
        if len(word) <= 3 or word[0] == "<":
            continue
        text = f"<{word}>"
        own = [text[at:at + size] for size in (3, 4, 5) for at in range(len(text) - size + 1)][:36]
        for gram in own:
            value = 2166136261
            for byte in gram.encode():
                value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
            owners.append(number)
            grams.append(1 + value % (NGRAMS - 1))
            scale.append(1 / math.sqrt(len(own)))
    to = lambda values, kind: torch.tensor(values, dtype=kind, device=DEVICE)
    return sparse_pair(to(owners, torch.int64), to(grams, torch.int64), to(scale, torch.float32), rows, NGRAMS)


class RowOptimiser:
    """Momentum with one second moment a row; rows with small slopes move less, so rare words stay near their start."""

    def __init__(self, groups):
        self.groups = [(parameter, rate) for parameters, rate in groups for parameter in parameters]
        self.state = {}

    @torch.no_grad()
    def step(self, factor):
        for parameter, rate in self.groups:
            slope = parameter.grad
            if slope is None:
                continue
            if parameter not in self.state:
                self.state[parameter] = [torch.zeros_like(parameter), torch.zeros_like(self.squares(slope)), 0]
            mean, squares, count = self.state[parameter]
            count += 1
            self.state[parameter][2] = count
            mean.mul_(0.9).add_(slope, alpha=0.1)
            squares.mul_(0.99).add_(self.squares(slope), alpha=0.01)
            size = (squares / (1 - 0.99 ** count)).sqrt()
            divisor = size + size.square().mean().sqrt() + 1e-12
            step = mean / (1 - 0.9 ** count) / (divisor[:, None] if parameter.dim() > 1 else divisor)
            parameter.sub_(step * rate * factor)
            parameter.grad = None

    @staticmethod
    def squares(slope):
        return slope.square().mean(1) if slope.dim() > 1 else slope.square()


def train(data, args):
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    frequency = torch.zeros(data.rows, device=DEVICE)
    for at in range(0, len(data.documents), 100_000):
        ids, counts = counted(data.documents[at:at + 100_000])
        frequency += torch.bincount(ids[counts > 0].long(), minlength=data.rows)
    rarity = torch.log(1 + len(data.documents) / (frequency + 1))
    start = torch.log((rarity / rarity.max()).clamp(min=0.05))
    words = torch.randn(data.rows, args.dimensions, device=DEVICE) * 0.1
    words[:2] = 0
    words.requires_grad_()
    grams = (torch.randn(NGRAMS, args.dimensions, device=DEVICE) * 0.1).requires_grad_()
    asked, told = start.clone().requires_grad_(), start.clone().requires_grad_()
    scale = torch.tensor(math.log(20.0), device=DEVICE, requires_grad=True)
    matrix, transposed = ngram_pair(data.words, data.rows)
    optimiser = RowOptimiser([([words, grams], args.rate), ([asked, told], args.rate / 2), ([scale], 0.002)])
    widths = [width for width in (64, 128, 256, 384, 512) if width <= args.dimensions]
    for step in range(args.steps):
        numbers = data.draw(rng, args.batch, rng.random() < args.in_repository, args.repositories)
        table = words + Sparse.apply(matrix, transposed, grams)
        loss = batch_loss(data, torch.from_numpy(numbers).to(DEVICE), table, asked.exp(), told.exp(), scale, widths, args)
        loss.backward()
        warm = min(1, (step + 1) / 50)
        optimiser.step(warm * (0.49 * (1 + math.cos(math.pi * step / args.steps)) + 0.02))
        if step % 50 == 0 or step == args.steps - 1:
            print(f"step {step} loss {loss.item():.3f}", flush=True)
    with torch.no_grad():
        return (words + Sparse.apply(matrix, transposed, grams)).detach(), asked.exp().detach(), told.exp().detach()


def batch_loss(data, numbers, table, asked, told, scale, widths, args):
    owner = data.owner[numbers]
    documents, questions = document_ids(data, owner, numbers, args), data.questions[numbers].long()
    kept = (questions > 0) & (torch.rand(questions.shape, device=DEVICE) > 0.1)
    ids, counts = counted(documents)
    code = bag(ids, counts, table * told[:, None])
    text = bag(questions, kept.float(), table * asked[:, None])
    text = with_neighbours(data, owner, text, table * asked[:, None], args)
    same = owner[:, None] == owner[None]
    same.fill_diagonal_(False)
    wanted = torch.arange(len(numbers), device=DEVICE)
    loss = 0
    for width in widths:
        left, right = F.normalize(text[:, :width].float(), dim=1), F.normalize(code[:, :width].float(), dim=1)
        with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            scores = left @ right.T
        scores = (scores.float() * scale.exp().clamp(max=100)).masked_fill(same, -1e4)
        own = F.cross_entropy(scores, wanted) + 0.5 * F.cross_entropy(scores.T, wanted)
        loss = loss + own * (1.0 if width == widths[-1] else 0.3)
    return loss


def document_ids(data, owner, numbers, args):
    """Token ids of the documents, some dropped, often joined with the next document of the same file."""
    ids = data.documents[owner].long()
    place = torch.arange(ids.shape[1], device=DEVICE)[None]
    in_path = place < data.path_length[owner][:, None]
    keep = torch.rand(ids.shape, device=DEVICE) > 0.15
    keep &= ~(in_path & (torch.rand(len(ids), 1, device=DEVICE) > 0.7))
    # Without the question's own words in part of the documents, so that meaning and not only spelling is learnt.
    kind = data.kind[numbers]
    named = (kind == ord("n")) | (kind == ord("p"))
    hidden = (torch.rand(len(ids), device=DEVICE) < torch.where(named, 0.8, 0.25)).nonzero()[:, 0]
    shared = (ids[hidden][:, :, None] == data.questions[numbers[hidden]].long()[:, None, :]).any(2)
    keep[hidden] &= ~(shared & (torch.rand(shared.shape, device=DEVICE) < 0.85))
    ids = torch.where(keep, ids, 0)
    beside, fits = neighbour(data, owner, 1)
    fits &= torch.rand(len(ids), device=DEVICE) < args.joined
    more = data.documents[beside].long()
    body = place >= data.path_length[beside][:, None]
    kept = torch.rand(more.shape, device=DEVICE) > 0.15
    return torch.cat([ids, torch.where(fits[:, None] & body & kept, more, 0)], 1)


def neighbour(data, owner, reach):
    """Another document near by, and whether it is of the same file."""
    side = torch.where(torch.rand(len(owner), device=DEVICE) < 0.5, 1, -1)
    beside = (owner + side * torch.randint(1, reach + 1, (len(owner),), device=DEVICE)).clamp(0, len(data.documents) - 1)
    return beside, (data.file[beside] == data.file[owner]) & (beside != owner)


def with_neighbours(data, owner, text, table, args):
    """Some questions become pieces of code from the same file: what stands together belongs together."""
    beside, fits = neighbour(data, owner, 3)
    chosen = (fits & (torch.rand(len(owner), device=DEVICE) < args.neighbours)).nonzero()[:, 0]
    if len(chosen) == 0:
        return text
    ids = data.documents[beside[chosen]].long()
    body = torch.arange(ids.shape[1], device=DEVICE)[None] >= data.path_length[beside[chosen]][:, None]
    ids, counts = counted(torch.where(body & (torch.rand(ids.shape, device=DEVICE) < 0.3), ids, 0))
    return text.index_copy(0, chosen, bag(ids, counts, table))


def joined(data, parts, dimensions):
    """Several tables as one: what most of them agree on, in the directions that texts differ in most."""
    asked, told = (torch.stack([part[at].log() for part in parts]).mean(0).exp() for at in (1, 2))
    rng = torch.Generator(device=DEVICE).manual_seed(1)
    pick = lambda of: of[torch.randint(len(of), (SAMPLE,), device=DEVICE, generator=rng)].long()
    ids, counts = counted(pick(data.documents))
    questions = pick(data.questions)
    wide = []
    for table, _, own in parts:
        rows = table * own[:, None]
        size = bag(ids, counts, rows).norm(dim=1).median()
        wide.append(rows / size / told[:, None])
    wide = torch.cat(wide, 1)
    texts = (bag(ids, counts, wide * told[:, None]), bag(questions, (questions > 0).float(), wide * asked[:, None]))
    spread = sum((unit.T @ unit / len(unit)).double() for unit in (F.normalize(text, dim=1) for text in texts))
    directions = torch.linalg.eigh(spread).eigenvectors[:, -dimensions:].flip(1).float()
    return wide @ directions, asked, told


def save(data, args, table, asked, told):
    """Rows with the document weight folded in, as int8; the query side keeps the ratio of the two weights."""
    rows = table * told[:, None]
    scale = rows.abs().amax(1).clamp(min=1e-8) / 127
    whole = (rows / scale[:, None]).round().clamp(-127, 127).to(torch.int8)
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.out, "model.int8.bin"), "wb") as file:
        file.write(whole.cpu().numpy().tobytes())
        file.write(scale.cpu().numpy().astype(np.float32).tobytes())
        file.write((asked / told).cpu().numpy().astype(np.float32).tobytes())
    shutil.copy(os.path.join(args.data, "vocab.txt"), os.path.join(args.out, "vocab.txt"))
    meta = {"name": args.name, "rows": data.rows, "dimensions": args.dimensions, "pathWeight": args.path_weight}
    with open(os.path.join(args.out, "meta.json"), "w") as file:
        json.dump(meta, file, indent=2)


def main():
    args = options()
    torch.set_float32_matmul_precision("high")
    begun = time.time()
    data = Data(args.data)
    print(f"{len(data.documents)} documents, {len(data.questions)} questions, {data.rows} rows", flush=True)
    used = data.without(args.without)
    parts = []
    for number in range(args.models):
        args.seed += number > 0
        parts.append(train(used, args))
    save(data, args, *(parts[0] if args.models == 1 else joined(data, parts, args.dimensions)))
    print(f"{args.out} written, {time.time() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
