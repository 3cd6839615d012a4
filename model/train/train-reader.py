#!/usr/bin/env python3
"""Trains the network that reads a question and a definition together, on one GPU (or, slowly, without).

    train-reader.py pack CANDIDATES DATA     # packs what reader-candidates.mjs wrote, for the trip to a GPU
    train-reader.py train DATA WEIGHTS       # writes WEIGHTS/reader.bin and reader-reference.json beside it

DATA may also have the pairs of `encode.mjs --vocabulary WEIGHTS/vocab.txt`. The network first learns which definition a comment, a commit or a test
belongs to, then which one answers a question in people's own words. Its input is the table in WEIGHTS, which stays as
it is. What is printed are shares of questions whose function is first, and among the first five, in the order of the
search alone and with the network; repositories of held-out questions and of strangers' are never trained on.
"""
import argparse
import copy
import glob
import json
import math
import os
import struct
import sys
import time

import numpy as np

# As in src/code/reader/read-tokens.ts.
PATH, HEAD, COMMENT, BODY = PARTS = [10, 16, 24, 56]
QUESTION, ALIKE, OWN_NAME = 24, 40, 8
CANDIDATES = 24
SETS = ["training", "held-out", "behaviour", "strangers", "outlined"]
FACTS = 17
SIZE, LAYERS, HEADS = 128, 3, 4


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("step", choices=["pack", "train"])
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--first", type=int, default=9000, help="steps on comments and pairs")
    parser.add_argument("--second", type=int, default=2500, help="steps on questions")
    parser.add_argument("--models", type=int, default=3, help="networks that learn the questions, joined afterwards")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--all", action="store_true", help="no repository is kept back to compare settings")
    parser.add_argument("--seconds", type=float, default=1e9, help="no further network is begun after this")
    return parser.parse_args()


def pack(source, target):
    """Candidates of all questions as arrays; the wanted definition is always among them."""
    tokens, lengths, repository = [[] for _ in range(5)], [[] for _ in range(5)], []
    columns = {name: [] for name in ("ids", "weights", "alike", "set", "kind", "repository", "missed")}
    chosen, wanted, facts, names = [], [], [], []
    for file in sorted(glob.glob(os.path.join(source, "*.json"))):
        found = json.load(open(file))
        number, used, first = len(names), {}, len(repository)
        names.append(found["repository"])
        for row in found["rows"]:
            # A candidate: its definition, whether it is wanted, what its name adds, and the facts.
            right = [one for one in row["candidates"] if one[1]]
            if not right:
                continue
            some = row["candidates"][:CANDIDATES]
            late = not any(one[1] for one in some)
            if late:
                some = some[: CANDIDATES - 1] + [right[0]]
            fill = lambda values, most: (values + [0] * most)[:most]
            columns["ids"].append(fill(row["ids"], QUESTION))
            columns["weights"].append(fill(row["weights"], QUESTION))
            columns["alike"].append(fill(row["alike"], ALIKE))
            columns["set"].append(SETS.index(row["set"]))
            columns["kind"].append("qdp".index(row["kind"]))
            columns["repository"].append(number)
            columns["missed"].append(bool(row["missed"] or late))
            spare = CANDIDATES - len(some)
            chosen.append([first + used.setdefault(one[0], len(used)) for one in some] + [-1] * spare)
            wanted.append([one[1] for one in some] + [0] * spare)
            facts.append([one[2:] for one in some] + [[0] * (1 + FACTS)] * spare)
        for definition in sorted(used, key=used.get):
            for part, most in enumerate(PARTS + [OWN_NAME]):
                ids = found["definitions"][definition][part]
                ids = ids[-most:] if part == 0 else ids[:most]
                tokens[part].extend(ids)
                lengths[part].append(len(ids))
            repository.append(number)
    os.makedirs(target, exist_ok=True)
    arrays = {f"tokens{part}": np.array(tokens[part], np.uint16) for part in range(5)}
    arrays |= {f"lengths{part}": np.array(lengths[part], np.uint8) for part in range(5)}
    kinds = {"ids": np.uint16, "alike": np.uint16, "weights": np.float16}
    arrays |= {name: np.array(values, kinds.get(name, np.int16)) for name, values in columns.items()}
    arrays |= {
        "definition": np.array(repository, np.int16),
        "chosen": np.array(chosen, np.int32),
        "wanted": np.array(wanted, np.uint8),
        "facts": np.array(facts, np.float32).clip(-1e4, 1e4).astype(np.float16),
    }
    np.savez(os.path.join(target, "questions.npz"), **arrays)
    json.dump(names, open(os.path.join(target, "repositories.json"), "w"))
    print(f"{len(chosen)} questions, {len(repository)} definitions, {len(names)} repositories")


if __name__ == "__main__" and sys.argv[1:2] == ["pack"]:
    pack(*sys.argv[2:4])
    sys.exit()

import torch
import torch.nn as nn
import torch.nn.functional as F

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BEGUN = time.time()


def say(*words):
    print(f"[{time.time() - BEGUN:6.1f}]", *words, flush=True)


def padded(tokens, lengths, width):
    lengths = lengths.astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    out = np.zeros((len(lengths), width), np.int32)
    used = np.arange(width)[None] < np.minimum(lengths, width)[:, None]
    out[used] = tokens[(starts[:, None] + np.arange(width)[None])[used]]
    return torch.tensor(out, device=DEVICE)


class Table:
    """The vectors of words that searches use."""

    def __init__(self, folder):
        meta = json.load(open(os.path.join(folder, "meta.json")))
        rows, size = meta["rows"], meta["dimensions"]
        raw = np.fromfile(os.path.join(folder, "model.int8.bin"), np.uint8)
        whole = raw[: rows * size].view(np.int8).reshape(rows, size).astype(np.float32)
        scale = raw[rows * size : rows * (size + 4)].view(np.float32)
        self.vectors = torch.tensor(whole * scale[:, None], device=DEVICE)
        norms = self.vectors.norm(dim=1)
        self.unit = self.vectors / norms.clamp(min=1e-6)[:, None]
        self.log_norm = torch.log(norms.clamp(min=1e-4))
        self.typical = torch.log(norms.clamp(min=1e-9)).mean()
        self.unit[:2] = 0


class Questions:
    """Questions with their candidates, on the device."""

    def __init__(self, folder, table, keep_all):
        z = np.load(os.path.join(folder, "questions.npz"))
        self.parts = [padded(z[f"tokens{part}"], z[f"lengths{part}"], most) for part, most in enumerate(PARTS + [OWN_NAME])]
        on = lambda name, kind: torch.tensor(z[name].astype(kind), device=DEVICE)
        self.ids, self.alike = on("ids", np.int64), on("alike", np.int64)
        self.weights = on("weights", np.float32)
        self.chosen, self.wanted = on("chosen", np.int64), on("wanted", np.float32)
        self.repository_of = on("definition", np.int64)
        self.set, self.kind, self.repository = z["set"], z["kind"], z["repository"]
        self.missed = torch.tensor(z["missed"].astype(bool), device=DEVICE)
        names = np.array(json.load(open(os.path.join(folder, "repositories.json"))))
        judged = set(names[np.unique(self.repository[(self.set == 1) | (self.set == 3)])])
        self.judged = {name.replace("/", "+") for name in judged}
        held = np.array([name in judged or (not keep_all and sum(name.encode()) % 9 == 3) for name in names])
        self.held_repository = held
        self.held = held[self.repository]
        self.training = np.where(~self.held)[0]
        facts = on("facts", np.float32)
        self.named = facts[:, :, 0]
        self.there = self.chosen >= 0
        features = torch.cat([facts[:, :, 1:], self.nearest_words(table)], 2)
        used = torch.tensor(self.training, device=DEVICE)
        known = features[used][self.there[used]]
        self.mean, self.deviation = known.mean(0), known.std(0).clamp(min=1e-3)
        self.features = ((features - self.mean) / self.deviation).clamp(-6, 6) * self.there[:, :, None]

    def texts(self, chosen):
        return [part[chosen.clamp(min=0)] for part in self.parts[:4]]

    @torch.no_grad()
    def nearest_words(self, table):
        """As src/code/reader/nearest-words.ts."""
        out = torch.zeros(*self.chosen.shape, 10, device=DEVICE)
        ends = np.cumsum([0] + PARTS)
        for at in range(0, len(out), 16):
            tokens = torch.cat(self.texts(self.chosen[at : at + 16]), 2).long()
            count, candidates, length = tokens.shape
            vectors = table.unit[tokens.view(count, -1)]

            def similar(ids):
                scores = torch.einsum("bqd,bkd->bqk", table.unit[ids], vectors)
                scores = scores.view(count, ids.shape[1], candidates, length)
                return scores.masked_fill((tokens == 0)[:, None], -0.1)

            ids = self.ids[at : at + 16]
            share = self.weights[at : at + 16] * (ids > 0)
            share = (share / share.sum(1, keepdim=True).clamp(min=1e-3))[:, :, None]
            scores = similar(ids)
            path, head, comment, body = [scores[..., ends[part] : ends[part + 1]].amax(3).clamp(min=-0.1) for part in range(4)]
            text = torch.maximum(body, comment)
            every = torch.maximum(text, torch.maximum(head, path))
            values = [body, comment.clamp(min=0), head, path.clamp(min=0), text, every, every.clamp(min=0.5), (every > 0.6).float()]
            alike = self.alike[at : at + 16]
            known = (alike > 0)[:, :, None].float()
            best = similar(alike)[..., ends[1] :].amax(3).clamp(min=-0.1)
            own = [(share * value).sum(1) for value in values]
            for value in (best, best.clamp(min=0.5)):
                own.append((value * known).sum(1) / known.sum(1).clamp(min=1))
            out[at : at + 16] = torch.stack(own, 2)
        there = self.there.float()[:, :, None]
        count = there.sum(1, keepdim=True)
        apart = (out - (out * there).sum(1, keepdim=True) / count) * there
        deviation = ((apart**2).sum(1, keepdim=True) / count).sqrt() + 1e-3
        return (apart / deviation).clamp(-4, 4) * there


class Block(nn.Module):
    def __init__(self, size, heads, drop):
        super().__init__()
        self.heads, self.drop = heads, nn.Dropout(drop)
        self.n1, self.n2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.qkv, self.o = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.f1, self.f2 = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)

    def forward(self, x, there):
        count, length, size = x.shape
        parts = self.qkv(self.n1(x)).view(count, length, 3, self.heads, size // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        if DEVICE == "cuda":
            seen = F.scaled_dot_product_attention(query, key, value, attn_mask=there[:, None, None])
        else:
            scores = (query @ key.transpose(-1, -2)) / math.sqrt(size // self.heads)
            seen = scores.masked_fill(~there[:, None, None], -1e4).softmax(-1) @ value
        x = x + self.drop(self.o(seen.transpose(1, 2).reshape(count, length, size)))
        return x + self.drop(self.f2(F.gelu(self.f1(self.n2(x)))))


class Facts(nn.Module):
    """A weighted sum of the facts, and a small layer."""

    def __init__(self, count, inner=16):
        super().__init__()
        self.l, self.a, self.b = nn.Linear(count, 1, bias=False), nn.Linear(count, inner), nn.Linear(inner, 1, bias=False)
        nn.init.zeros_(self.l.weight)
        nn.init.zeros_(self.b.weight)

    def forward(self, named, features):
        return named + self.l(features)[..., 0] + self.b(F.gelu(self.a(features)))[..., 0]


class Reader(nn.Module):
    def __init__(self, facts, drop=0.1):
        super().__init__()
        self.p, self.fe = nn.Linear(256, SIZE), nn.Linear(3, SIZE)
        self.seg, self.pos = nn.Embedding(5, SIZE), nn.Embedding(max(PARTS), SIZE)
        self.cls = nn.Parameter(torch.randn(SIZE) * 0.02)
        self.bl = nn.ModuleList([Block(SIZE, HEADS, drop) for _ in range(LAYERS)])
        self.n, self.h, self.drop = nn.LayerNorm(SIZE), nn.Linear(SIZE, 1), nn.Dropout(drop)
        self.feats = Facts(facts)
        for one in (self.seg, self.pos, self.h):
            nn.init.normal_(one.weight, std=0.02)

    def set_drop(self, share):
        for one in self.modules():
            if isinstance(one, nn.Dropout):
                one.p = share

    def read(self, table, ids, weights, texts, lost=0.0):
        """The score of each definition by its text alone; some of its words are lost."""
        count, candidates = texts[0].shape[:2]
        tokens = torch.cat(texts, 2).long()
        length = tokens.shape[2]
        if lost > 0:
            tokens = torch.where(torch.rand(tokens.shape, device=DEVICE) < lost, 0, tokens)
        similar = torch.einsum("bqd,bkd->bqk", table.unit[ids], table.unit[tokens.view(count, -1)])
        similar = similar.view(count, QUESTION, candidates, length)
        nearest = torch.cat([
            similar.amax(3).clamp(min=0).transpose(1, 2).reshape(count * candidates, -1),
            similar.amax(1).clamp(min=0).view(count * candidates, length)], 1)
        all_ids = torch.cat([ids[:, None].expand(-1, candidates, -1).reshape(count * candidates, -1),
                             tokens.view(count * candidates, length)], 1)
        rarity = torch.cat([weights[:, None].expand(-1, candidates, -1).reshape(count * candidates, -1),
                            torch.zeros(count * candidates, length, device=DEVICE)], 1)
        widths = [QUESTION] + [text.shape[2] for text in texts]
        part = torch.cat([torch.full((width,), number, device=DEVICE) for number, width in enumerate(widths)])
        place = torch.cat([torch.arange(width, device=DEVICE) for width in widths])
        x = self.p(table.unit[all_ids] * 4) + self.fe(torch.stack([nearest, table.log_norm[all_ids], rarity], 2))
        x = x + self.seg(part) + self.pos(place)
        x = self.drop(torch.cat([self.cls.expand(len(x), 1, -1), x], 1))
        there = torch.cat([torch.ones(len(x), 1, dtype=torch.bool, device=DEVICE), all_ids > 0], 1)
        with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            for block in self.bl:
                x = block(x, there)
        return self.h(self.n(x[:, 0].float()))[:, 0].view(count, candidates)


def rate_at(step, steps, warm, least):
    return min(1, (step + 1) / warm) * (least + (1 - least) * 0.5 * (1 + math.cos(math.pi * step / steps)))


@torch.no_grad()
def judge(data, table, model, label):
    """First, and among the first five: as the search orders them, then with the network."""
    groups = {name: (data.set == number) & (data.held | (number in (1, 3))) for number, name in enumerate(SETS[:4])}
    groups |= {name: (data.set == 4) & data.held & (data.kind == kind) for kind, name in enumerate(["question", "description", "phrase"])}
    model.eval()
    words = []
    for name, rows in groups.items():
        rows = np.where(rows)[0]
        hits = np.zeros(4)
        for at in range(0, len(rows), 64):
            use = torch.tensor(rows[at : at + 64], device=DEVICE)
            score = model.feats(data.named[use], data.features[use])
            score = score + model.read(table, data.ids[use], data.weights[use], data.texts(data.chosen[use]))
            order = -torch.arange(CANDIDATES, device=DEVICE).float().expand_as(score)
            for number, value in enumerate((order, score)):
                value = value.masked_fill(~data.there[use], -1e9)
                best = value.masked_fill(data.wanted[use] == 0, -1e9).amax(1)
                rank = (value > best[:, None]).sum(1).masked_fill(data.missed[use], 99)
                hits[2 * number] += int((rank == 0).sum())
                hits[2 * number + 1] += int((rank < 5).sum())
        if len(rows):
            words.append("{} ({}) {:.3f}/{:.3f} > {:.3f}/{:.3f}".format(name, len(rows), *(hits / len(rows))))
    model.train()
    say(label, "  ".join(words))


class Pairs:
    """The pairs of encode.mjs, if they are there."""

    def __init__(self, folder, judged):
        read = lambda name, kind: np.fromfile(os.path.join(folder, name), kind)
        size, path, count, asked = [read(f"{name}.u8", np.uint8).astype(np.int64) for name in ("dl", "pl", "nq", "ql")]
        self.documents = padded(read("dtok.u16", np.uint16), size + path, 90)
        self.path = torch.tensor(path, device=DEVICE)
        self.questions = padded(read("qtok.u16", np.uint16), asked, QUESTION)
        owner = np.repeat(np.arange(len(size)), count)
        self.owner = torch.tensor(owner, device=DEVICE)
        names, sizes = zip(*json.load(open(os.path.join(folder, "repos.json"))))
        self.first = np.concatenate([[0], np.cumsum(sizes)])
        self.question = np.searchsorted(owner, self.first)
        share = np.minimum(np.diff(self.question), 20000) ** 0.7
        share[[name in judged for name in names]] = 0
        self.share = share / share.sum()

    def texts(self, chosen):
        ids, path = self.documents[chosen], self.path[chosen][:, :, None]
        place = torch.arange(90, device=DEVICE)
        folders = torch.where(place[:PATH] < path, ids[:, :, :PATH], 0)
        body = ids.gather(2, (path + place[:BODY]).clamp(max=89))
        none = torch.zeros_like(ids[:, :, :1])
        return [folders, none.expand(-1, -1, HEAD), none.expand(-1, -1, COMMENT), body]


def centre(table, parts):
    return F.normalize(sum(table.vectors[part.long()].sum(-2) for part in parts), dim=-1)


def learn_authors(data, pairs, table, model, args):
    """Which definition a comment, a commit or a test belongs to, among near ones of the same repository."""
    rng = np.random.default_rng(1)
    learned = [own for name, own in model.named_parameters() if not name.startswith("feats")]
    optimiser = torch.optim.AdamW(learned, lr=args.rate, weight_decay=0.02, betas=(0.9, 0.98))
    commented = ((data.parts[2] > 0).sum(1) >= 5).cpu().numpy()
    repository = data.repository_of.cpu().numpy()
    commented &= ~data.held_repository[repository]
    own_of = {one: np.where(commented & (repository == one))[0] for one in np.unique(repository)}
    own_of = {one: own for one, own in own_of.items() if len(own) >= 40}
    numbers = list(own_of)
    share = np.array([len(own_of[one]) for one in numbers]) ** 0.6
    share /= share.sum()
    all_of = {one: torch.tensor(np.where(repository == one)[0], device=DEVICE) for one in numbers}
    total = 0
    for step in range(args.first):
        for group in optimiser.param_groups:
            group["lr"] = args.rate * rate_at(step, args.first, 200, 0.05)
        if pairs is None or rng.random() < 0.4:
            one = rng.choice(len(numbers), p=share)
            own = torch.tensor(rng.choice(own_of[numbers[one]], args.batch), device=DEVICE)
            ids = data.parts[2][own].long()
            ids = torch.where(torch.arange(QUESTION, device=DEVICE) < torch.randint(6, QUESTION + 1, (len(own), 1), device=DEVICE), ids, 0)
            others = near(table, ids, all_of[numbers[one]], own, lambda rest: [data.parts[1][rest], data.parts[3][rest]])
            texts = data.texts(others)
            texts[2] = torch.zeros_like(texts[2])
            if rng.random() < 0.5:
                texts[1] = torch.zeros_like(texts[1])
        else:
            one = rng.choice(len(pairs.share), p=pairs.share)
            numbered = torch.tensor(rng.integers(pairs.question[one], pairs.question[one + 1], args.batch), device=DEVICE)
            own, ids = pairs.owner[numbered], pairs.questions[numbered].long()
            rest = torch.arange(pairs.first[one], pairs.first[one + 1], device=DEVICE)
            texts = pairs.texts(near(table, ids, rest, own, lambda rest: [pairs.documents[rest]]))
        if rng.random() < 0.5:
            # Without some of the question's words, so that meaning and not only spelling is learned.
            hidden = torch.rand(len(ids), 1, 1, device=DEVICE) < 0.6
            texts = [torch.where(hidden & (torch.rand(text.shape, device=DEVICE) < 0.7)
                                 & (text.long()[..., None] == ids[:, None, None]).any(3), 0, text) for text in texts]
        weights = torch.where(ids > 0, (table.log_norm[ids] - table.typical).exp().clamp(0.3, 2.2), 0.0)
        loss = F.cross_entropy(model.read(table, ids, weights, texts, 0.1), torch.zeros(len(ids), dtype=torch.long, device=DEVICE))
        total += move(optimiser, learned, loss)
        if step % 1000 == 999:
            say("authors", step + 1, round(total / 1000, 3))
            total = 0


def near(table, ids, rest, own, parts, count=16):
    """The wanted definition, and those of the same repository that are near the question."""
    if len(rest) > 4000:
        rest = rest[torch.randperm(len(rest), device=DEVICE)[:4000]]
    similar = centre(table, [ids]) @ centre(table, parts(rest)).T
    similar = similar + torch.rand(similar.shape, device=DEVICE) * 0.25
    similar = similar.masked_fill(rest[None] == own[:, None], -9)
    return torch.cat([own[:, None], rest[similar.topk(min(count - 1, len(rest) - 1), 1).indices]], 1)


def move(optimiser, learned, loss):
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(learned, 1.0)
    optimiser.step()
    return loss.item()


def learn_questions(data, table, model, args, seed):
    """Which candidate of the search answers a question."""
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    model.set_drop(0.2)
    of_facts = list(model.feats.parameters())
    others = [own for name, own in model.named_parameters() if not name.startswith("feats")]
    optimiser = torch.optim.AdamW([
        {"params": others, "factor": 0.5, "weight_decay": 0.05},
        {"params": of_facts, "factor": 2.0, "weight_decay": 0.01}], lr=args.rate, betas=(0.9, 0.98))
    # Questions made from a function alone say too much about it; phrases are mostly answered by words.
    share = np.where(data.set[data.training] == 0, 0.15, np.where(data.kind[data.training] == 2, 0.6, 1.0))
    share /= share.sum()
    total = 0
    for step in range(args.second):
        for group in optimiser.param_groups:
            group["lr"] = group["factor"] * args.rate * rate_at(step, args.second, 100, 0.02)
        use = torch.tensor(rng.choice(data.training, args.batch // 2, p=share), device=DEVICE)
        chosen, wanted = data.chosen[use], data.wanted[use]
        ids, weights = data.ids[use].clone(), data.weights[use].clone()
        ids = torch.where(torch.rand(ids.shape, device=DEVICE) < 0.08, 0, ids)
        with_name(data, ids, weights, chosen, wanted, use)
        score = model.feats(data.named[use], data.features[use]) + model.read(table, ids, weights, data.texts(chosen), 0.15)
        logs = F.log_softmax(score.masked_fill(chosen < 0, -1e4), 1)
        loss = -torch.logsumexp(logs.masked_fill(wanted == 0, -1e4), 1).mean()
        total += move(optimiser, others + of_facts, loss)
        if step % 500 == 499:
            say("questions", step + 1, round(total / 500, 3))
            total = 0


def with_name(data, ids, weights, chosen, wanted, use):
    """Gives some questions words of the name: writers avoid it, people do not."""
    right = chosen.gather(1, wanted.argmax(1)[:, None])[:, 0].clamp(min=0)
    own = data.parts[4][right].long()
    last = (data.ids[use] > 0).sum(1).clamp(max=QUESTION - 3)
    some = torch.rand(len(ids), device=DEVICE) < 0.2
    for number in range(3):
        rows = torch.nonzero(some & (own[:, number] > 0))[:, 0]
        places = (last[rows] + number).clamp(max=QUESTION - 1)
        ids[rows, places] = own[rows, number]
        weights[rows, places] = 2.0


WHOLE = ["p.weight"] + [f"bl.{layer}.{name}.weight" for layer in range(LAYERS) for name in ("qkv", "o", "f1", "f2")]


def rounded(state):
    """The network with its matrices as int8, a factor a row, and what the file has of them."""
    stored, state = [], dict(state)
    for name, value in state.items():
        value = value.float().cpu()
        rows = value.reshape(value.shape[0], -1) if value.dim() > 1 else value.reshape(1, -1)
        if name in WHOLE:
            factors = rows.abs().amax(1).clamp(min=1e-8) / 127
            whole = (rows / factors[:, None]).round().clamp(-127, 127)
            state[name] = (whole * factors[:, None]).to(DEVICE)
            stored.append((name, rows.shape, True, factors.numpy().astype("<f4").tobytes() + whole.to(torch.int8).numpy().tobytes()))
        else:
            stored.append((name, rows.shape, False, rows.numpy().astype("<f4").tobytes()))
    return state, stored


def save(data, table, model, folder):
    """Writes reader.bin, and scores of a few made-up definitions for the test of the runtime."""
    state, stored = rounded(model.state_dict() | {"mean": data.mean, "deviation": data.deviation})
    for name in ("mean", "deviation"):
        state.pop(name)
    model.load_state_dict(state)
    tensors = [{"name": name, "rows": shape[0], "size": shape[1], "whole": whole} for name, shape, whole, _ in stored]
    shape = {"size": SIZE, "layers": LAYERS, "heads": HEADS, "question": QUESTION, "parts": PARTS, "tensors": tensors}
    head = json.dumps(shape, separators=(",", ":")).encode()
    with open(os.path.join(folder, "reader.bin"), "wb") as file:
        file.write(struct.pack("<I", len(head)) + head + b"".join(content for *_, content in stored))
    model.eval()
    rng = np.random.default_rng(5)
    ids = np.zeros((1, QUESTION), np.int64)
    ids[0, :9] = rng.integers(2, 9000, 9)
    weights = np.where(ids > 0, rng.uniform(0.5, 2, ids.shape), 0).round(3)
    lengths = [[6, 9, 0, 30], [3, 12, 18, 56], [10, 4, 24, 8]]
    texts = [np.zeros((1, 3, most), np.int64) for most in PARTS]
    for number, counts in enumerate(lengths):
        for part, count in enumerate(counts):
            texts[part][0, number, :count] = rng.integers(2, 9000, count)
            if part == 3:
                texts[part][0, number, :3] = ids[0, :3]
    on = lambda value, kind=torch.long: torch.tensor(value, dtype=kind, device=DEVICE)
    with torch.no_grad():
        scores = precise(lambda: model.read(table, on(ids), on(weights, torch.float32), [on(text) for text in texts]))
    definitions = [[texts[part][0, number, :count].tolist() for part, count in enumerate(counts)] for number, counts in enumerate(lengths)]
    reference = {"ids": ids[0, :9].tolist(), "weights": weights[0, :9].tolist(), "definitions": definitions,
                 "scores": scores[0].cpu().numpy().round(5).tolist()}
    with open(os.path.join(folder, "..", "reader-reference.json"), "w") as file:
        json.dump(reference, file)


def precise(compute):
    """Without the short floats of training."""
    with torch.autocast(DEVICE, enabled=False):
        keep = torch.autocast
        torch.autocast = lambda *_, **__: keep(DEVICE, enabled=False)
        try:
            return compute()
        finally:
            torch.autocast = keep


def main():
    args = options()
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    table = Table(args.target)
    data = Questions(args.source, table, args.all)
    pairs = Pairs(args.source, data.judged) if os.path.exists(os.path.join(args.source, "dtok.u16")) else None
    say(f"{len(data.training)} questions to learn from, {len(data.parts[0])} definitions, {0 if pairs is None else len(pairs.questions)} pairs")
    start = Reader(data.features.shape[2]).to(DEVICE)
    learn_authors(data, pairs, table, start, args)
    states = []
    for seed in range(1, args.models + 1):
        if states and time.time() - BEGUN > args.seconds:
            break
        model = copy.deepcopy(start)
        learn_questions(data, table, model, args, seed)
        judge(data, table, model, f"network {seed}:")
        states.append(model.state_dict())
    joined = {name: sum(state[name] for state in states) / len(states) for name in states[0]}
    model.load_state_dict(joined)
    judge(data, table, model, "joined:")
    save(data, table, model, args.target)
    judge(data, table, model, "as stored:")


if __name__ == "__main__":
    main()
