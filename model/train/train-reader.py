#!/usr/bin/env python3
"""Trains the network that reads a question and a definition together, on one GPU (or, slowly, without).

    train-reader.py pack CANDIDATES DATA     # learns which definitions to read, and packs those for the trip to a GPU
    train-reader.py train DATA WEIGHTS       # writes WEIGHTS/reader.bin and reader-reference.json beside it

DATA may also have the pairs of `encode.mjs --vocabulary WEIGHTS/vocab.txt`. The network first learns which definition a
comment, a commit or a test belongs to, then which one answers a question in people's own words. Its input is the table
in WEIGHTS, which stays as it is. What is printed are shares of questions whose function is first, and among the first five, in the order of the
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

import torch
import torch.nn as nn
import torch.nn.functional as F

# As in src/code/reader/read-tokens.ts.
PATH, HEAD, COMMENT, BODY = PARTS = [10, 16, 24, 64]
QUESTION, OWN_NAME = 24, 8
# As in src/code/reader/reading-order.ts.
CANDIDATES, SEARCHED = 32, 16
SETS = ["training", "held-out", "behaviour", "strangers", "outlined"]
# What is known of a definition: facts of the search, the logarithm of its lines among them, and nearest words.
FEATURES, LINES = 27, 13
# Lines of functions, for how often a question is learned from.
SIZES = np.log1p([5, 8, 12, 17, 24, 34, 50, 80, 140])
LIMIT = 6
CHOICE_STEPS = 3000
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BEGUN = time.time()


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("step", choices=["pack", "train"])
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--size", type=int, default=128)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--first", type=int, default=10000, help="steps on comments and pairs")
    parser.add_argument("--second", type=int, default=2500, help="steps on questions")
    parser.add_argument("--models", type=int, default=3, help="networks that learn the questions, joined afterwards")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--drop", type=float, default=0.2, help="in the second step")
    parser.add_argument("--all", action="store_true", help="no repository is kept back to compare settings")
    parser.add_argument("--seconds", type=float, default=1e9, help="no further network is begun after this")
    parser.add_argument("--out", help="where to write instead of TARGET")
    return parser.parse_args()


def is_held(name, judged, keep_all=False):
    """Whether a repository is only judged by, as reader-candidates.mjs has it."""
    return name in judged or (not keep_all and sum(name.encode()) % 9 == 3)


def pack(source, target):
    """Learns which definitions are worth reading, and packs those of all questions as arrays."""
    files = sorted(glob.glob(os.path.join(source, "*.json")))
    judged, rows, features, named, wanted, kept = set(), [], [], [], [], []
    for number, file in enumerate(files):
        found = json.load(open(file))
        for row in found["rows"]:
            if not any(one[1] for one in row["candidates"]):
                continue
            set_of = "strangers" if row["set"].startswith("strangers") else row["set"]
            set_of = set_of if set_of in SETS else "outlined"
            if set_of in ("held-out", "strangers"):
                judged.add(found["repository"])
            values = np.array(row["candidates"], np.float32)
            kept.append(values[:, 0].astype(np.int32))
            wanted.append(values[:, 1].astype(np.uint8))
            named.append(values[:, 2])
            features.append(values[:, 3:].astype(np.float16))
            rows.append((number, found["repository"], SETS.index(set_of), row))
            row["candidates"] = None
        found["rows"] = None
    held = np.array([is_held(name, judged) for _, name, _, _ in rows])
    say(len(rows), "questions,", int(held.sum()), "of them to judge by")
    learning = [at for at in range(len(rows)) if not held[at]]
    sample = np.concatenate([features[at] for at in learning[::7]]).astype(np.float32)
    mean, deviation = sample.mean(0), np.maximum(sample.std(0), 1e-3)
    scaled = [((one.astype(np.float32) - mean) / deviation).clip(-LIMIT, LIMIT) for one in features]
    share = np.zeros(len(rows))
    share[learning] = share_of(
        np.array([rows[at][2] for at in learning]),
        np.array([rows[at][3]["kind"] for at in learning]),
        np.array([features[at][wanted[at].argmax(), LINES] for at in learning]),
    )
    choice = learn_choice([scaled[at] for at in learning], [named[at] for at in learning], [wanted[at] for at in learning], share[learning])
    with torch.no_grad():
        scores = [choice(torch.tensor(name), torch.tensor(one)).numpy() for one, name in zip(scaled, named)]
    judge_choice(rows, held, wanted, scores)

    tokens, lengths, repository = [[] for _ in range(5)], [[] for _ in range(5)], []
    columns = {name: [] for name in ("ids", "weights", "set", "kind", "repository", "missed")}
    chosen, right, packed, offset, names = [], [], [], [], []
    fill = lambda values, most: (values + [0] * most)[:most]
    at = 0
    for number, file in enumerate(files):
        found = json.load(open(file))
        definitions, used, first = found["definitions"], {}, len(repository)
        while at < len(rows) and rows[at][0] == number:
            _, _, set_of, row = rows[at]
            order = first_of(scores[at])
            late = not wanted[at][order].any()
            if late:
                order = np.append(order[: CANDIDATES - 1], wanted[at].argmax())
            spare = CANDIDATES - len(order)
            columns["ids"].append(fill(row["ids"], QUESTION))
            columns["weights"].append(fill(row["weights"], QUESTION))
            columns["set"].append(set_of)
            columns["kind"].append("qdp".index(row["kind"]))
            columns["repository"].append(len(names))
            columns["missed"].append(bool(row["missed"] or late))
            chosen.append([first + used.setdefault(int(one), len(used)) for one in kept[at][order]] + [-1] * spare)
            right.append(fill(wanted[at][order].tolist(), CANDIDATES))
            whole = np.zeros((CANDIDATES, FEATURES), np.int8)
            whole[: len(order)] = np.round(scaled[at][order] * 127 / LIMIT)
            packed.append(whole)
            offset.append(fill(named[at][order].tolist(), CANDIDATES))
            at += 1
        names.append(found["repository"])
        for definition in sorted(used, key=used.get):
            for part, most in enumerate(PARTS + [OWN_NAME]):
                ids = definitions[definition][part]
                ids = ids[-most:] if part == 0 else ids[:most]
                tokens[part].extend(ids)
                lengths[part].append(len(ids))
            repository.append(number)
    os.makedirs(target, exist_ok=True)
    arrays = {f"tokens{part}": np.array(tokens[part], np.uint16) for part in range(5)}
    arrays |= {f"lengths{part}": np.array(lengths[part], np.uint8) for part in range(5)}
    kinds = {"ids": np.uint16, "weights": np.float16}
    arrays |= {name: np.array(values, kinds.get(name, np.int16)) for name, values in columns.items()}
    arrays |= {
        "definition": np.array(repository, np.int16),
        "chosen": np.array(chosen, np.int32),
        "wanted": np.array(right, np.uint8),
        "features": np.array(packed, np.int8),
        "named": np.array(offset, np.float32).clip(-1e4, 1e4).astype(np.float16),
        "mean": mean,
        "deviation": deviation,
        "share": share.astype(np.float32),
    }
    arrays |= {f"choice.{name}": value.numpy() for name, value in choice.state_dict().items()}
    np.savez_compressed(os.path.join(target, "questions.npz"), **arrays)
    json.dump(names, open(os.path.join(target, "repositories.json"), "w"))
    say(f"{len(chosen)} questions, {len(repository)} definitions, {len(names)} repositories")


def share_of(sets, kinds, lines):
    """
    How often each question is learned from. Somebody who begins with what a program does asks about longer functions
    than somebody who has a list of functions: all sets are made to ask about functions as long as those of `behaviour`,
    which was written in the first way. Questions made from a function alone say too much about it.
    """
    share = np.ones(len(sets))
    for own, often in [(sets == SETS.index("training"), 0.15), (sets == SETS.index("behaviour"), 8), (kinds == "p", 0.1), (kinds == "d", 0.5)]:
        share[own] *= often
    place = np.digitize(lines, SIZES)
    spread = lambda rows: (np.bincount(place[rows], minlength=len(SIZES) + 1) + 2) / (rows.sum() + 2 * (len(SIZES) + 1))
    wanted = sets == SETS.index("behaviour")
    for number in range(len(SETS)):
        for kind in "qdp":
            own = (sets == number) & (kinds == kind)
            if wanted.any() and own.any():
                share[own] *= (spread(wanted) / spread(own))[place[own]]
    return share / share.sum()


def learn_choice(features, named, wanted, share):
    """The facts and nearest words alone, by which definitions are chosen to be read."""
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    model = Facts(FEATURES)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-5)
    for step in range(CHOICE_STEPS):
        for group in optimiser.param_groups:
            group["lr"] = 0.01 * rate_at(step, CHOICE_STEPS, 100, 0.02)
        use = rng.choice(len(features), 64, p=share)
        width = max(len(features[at]) for at in use)
        rows, names, right = np.zeros((64, width, FEATURES), np.float32), np.full((64, width), -1e4, np.float32), np.zeros((64, width), bool)
        for row, at in enumerate(use):
            rows[row, : len(features[at])], names[row, : len(named[at])], right[row, : len(wanted[at])] = features[at], named[at], wanted[at] > 0
        loss = -named_share(model(torch.tensor(names), torch.tensor(rows)), torch.tensor(right))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 1000 == 999:
            say("choice", step + 1, round(loss.item(), 3))
    return model


def named_share(scores, right):
    """The logarithm of the share that the wanted definitions have."""
    logs = F.log_softmax(scores, 1)
    return torch.logsumexp(logs.masked_fill(~right, -1e4), 1).mean()


def first_of(scores):
    """Which definitions are read."""
    rest = SEARCHED + np.argsort(-scores[SEARCHED:], kind="stable")
    return np.concatenate([np.arange(min(SEARCHED, len(scores))), rest])[:CANDIDATES]


def judge_choice(rows, held, wanted, scores):
    """Among how many definitions the wanted one is: as the search orders them, then by the choice."""
    for label, own in [("held", held)] + [(name, np.array([set_of == number for _, _, set_of, _ in rows]) & held) for number, name in enumerate(SETS)]:
        use = [at for at in np.where(own)[0] if rows[at][3]["kind"] != "p"]
        if not use:
            continue
        places = np.array([[int(wanted[at].argmax()), int((scores[at] > scores[at][wanted[at] > 0].max()).sum())] for at in use])
        places[[bool(rows[at][3]["missed"]) for at in use]] = 9999
        share = lambda column, most: (places[:, column] < most).mean()
        say(label, len(use), *(f"{most}: {share(0, most):.3f} > {share(1, most):.3f}" for most in (1, 5, 12, 24, 32, 48)))


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
        self.short = self.unit.to(torch.bfloat16) if DEVICE == "cuda" else self.unit


class Questions:
    """Questions with their candidates, on the device."""

    def __init__(self, folder, keep_all):
        z = np.load(os.path.join(folder, "questions.npz"))
        self.parts = [padded(z[f"tokens{part}"], z[f"lengths{part}"], most) for part, most in enumerate(PARTS + [OWN_NAME])]
        on = lambda name, kind: torch.tensor(z[name].astype(kind), device=DEVICE)
        self.ids, self.weights = on("ids", np.int64), on("weights", np.float32)
        self.chosen, self.wanted = on("chosen", np.int64), on("wanted", np.float32)
        self.repository_of = on("definition", np.int64)
        self.set, self.kind, self.repository = z["set"], z["kind"], z["repository"]
        self.missed = torch.tensor(z["missed"].astype(bool), device=DEVICE)
        names = np.array(json.load(open(os.path.join(folder, "repositories.json"))))
        judged = set(names[np.unique(self.repository[(self.set == 1) | (self.set == 3)])])
        self.judged = {name.replace("/", "+") for name in judged}
        held = np.array([is_held(name, judged, keep_all) for name in names])
        self.held_repository = held
        self.held = held[self.repository]
        self.training = np.where(~self.held)[0]
        self.share = z["share"][self.training] / z["share"][self.training].sum()
        self.named, self.there = on("named", np.float32), self.chosen >= 0
        self.features = on("features", np.float32) * (LIMIT / 127) * self.there[:, :, None]
        self.stored = {name: torch.tensor(z[name]) for name in z.files if name in ("mean", "deviation") or name.startswith("choice.")}

    def texts(self, chosen):
        return [part[chosen.clamp(min=0)] for part in self.parts[:4]]


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
    def __init__(self, size, layers, heads, drop=0.1):
        super().__init__()
        self.p, self.fe = nn.Linear(256, size), nn.Linear(3, size)
        self.seg, self.pos = nn.Embedding(5, size), nn.Embedding(max(PARTS), size)
        self.cls = nn.Parameter(torch.randn(size) * 0.02)
        self.bl = nn.ModuleList([Block(size, heads, drop) for _ in range(layers)])
        self.n, self.h, self.drop = nn.LayerNorm(size), nn.Linear(size, 1), nn.Dropout(drop)
        self.feats = Facts(FEATURES)
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
        similar = torch.einsum("bqd,bkd->bqk", table.short[ids], table.short[tokens.view(count, -1)])
        similar = similar.view(count, QUESTION, candidates, length).float()
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
        x = F.embedding(all_ids, self.p(table.unit * 4)) + self.fe(torch.stack([nearest, table.log_norm[all_ids], rarity], 2))
        x = x + self.seg(part) + self.pos(place)
        x = self.drop(torch.cat([self.cls.expand(len(x), 1, -1), x], 1))
        there = torch.cat([torch.ones(len(x), 1, dtype=torch.bool, device=DEVICE), all_ids > 0], 1)
        if DEVICE == "cuda":
            # Lengths that are a multiple of 16 have a fast attention.
            spare = -x.shape[1] % 16
            x, there = F.pad(x, (0, 0, 0, spare)), F.pad(there, (0, spare))
        with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            for block in self.bl:
                x = block(x, there)
        return self.h(self.n(x[:, 0].float()))[:, 0].view(count, candidates)


def rate_at(step, steps, warm, least):
    return min(1, (step + 1) / warm) * (least + (1 - least) * 0.5 * (1 + math.cos(math.pi * step / steps)))


@torch.no_grad()
def judge(data, table, model, label):
    """First, and among the first five: as facts and nearest words choose them, then with the network."""
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
    model.set_drop(args.drop)
    of_facts = list(model.feats.parameters())
    others = [own for name, own in model.named_parameters() if not name.startswith("feats")]
    optimiser = torch.optim.AdamW([
        {"params": others, "factor": 0.5, "weight_decay": 0.05},
        {"params": of_facts, "factor": 2.0, "weight_decay": 0.01}], lr=args.rate, betas=(0.9, 0.98))
    total = 0
    for step in range(args.second):
        for group in optimiser.param_groups:
            group["lr"] = group["factor"] * args.rate * rate_at(step, args.second, 100, 0.02)
        use = torch.tensor(rng.choice(data.training, args.batch // 2, p=data.share), device=DEVICE)
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


def is_whole(name):
    """Whether the file has a matrix as whole numbers."""
    return name == "p.weight" or name.startswith("bl.") and name.endswith((".qkv.weight", ".o.weight", ".f1.weight", ".f2.weight"))


def rounded(state):
    """The network with its matrices as int8, a factor a row, and what the file has of them."""
    stored, state = [], dict(state)
    for name, value in state.items():
        value = value.float().cpu()
        rows = value.reshape(value.shape[0], -1) if value.dim() > 1 else value.reshape(1, -1)
        if is_whole(name):
            factors = rows.abs().amax(1).clamp(min=1e-8) / 127
            whole = (rows / factors[:, None]).round().clamp(-127, 127)
            state[name] = (whole * factors[:, None]).to(DEVICE)
            stored.append((name, rows.shape, True, factors.numpy().astype("<f4").tobytes() + whole.to(torch.int8).numpy().tobytes()))
        else:
            stored.append((name, rows.shape, False, rows.numpy().astype("<f4").tobytes()))
    return state, stored


def save(data, table, model, folder):
    """Writes reader.bin, and scores of a few made-up definitions for the test of the runtime."""
    state, stored = rounded(model.state_dict() | data.stored)
    model.load_state_dict({name: value for name, value in state.items() if name not in data.stored})
    tensors = [{"name": name, "rows": shape[0], "size": shape[1], "whole": whole} for name, shape, whole, _ in stored]
    shape = {"size": model.p.out_features, "layers": len(model.bl), "heads": model.bl[0].heads, "question": QUESTION, "parts": PARTS, "tensors": tensors}
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
    if args.step == "pack":
        return pack(args.source, args.target)
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    table = Table(args.target)
    data = Questions(args.source, args.all)
    pairs = Pairs(args.source, data.judged) if os.path.exists(os.path.join(args.source, "dtok.u16")) else None
    say(f"{len(data.training)} questions to learn from, {len(data.parts[0])} definitions, {0 if pairs is None else len(pairs.questions)} pairs")
    start = Reader(args.size, args.layers, args.heads).to(DEVICE)
    learn_authors(data, pairs, table, start, args)
    start.feats.load_state_dict({name[7:]: value for name, value in data.stored.items() if name.startswith("choice.")})
    states, target = [], args.out or args.target
    os.makedirs(target, exist_ok=True)
    for seed in range(1, args.models + 1):
        if states and time.time() - BEGUN > args.seconds:
            break
        model = copy.deepcopy(start)
        learn_questions(data, table, model, args, seed)
        judge(data, table, model, f"network {seed}:")
        states.append(copy.deepcopy(model.state_dict()))
        # What is there so far is kept if time runs out.
        model.load_state_dict({name: sum(state[name] for state in states) / len(states) for name in states[0]})
        save(data, table, model, target)
        judge(data, table, model, "joined, as stored:")


if __name__ == "__main__":
    main()
