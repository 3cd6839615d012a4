// The index of a repository at many commits, oldest first: each commit adds a segment with the files that differ.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** With more segments than this, everything is read again into one. */
const MAX_SEGMENTS = 24;
const MAX_BUFFER = 1 << 30;

const run = (git, args, options = {}) =>
  execFileSync('git', [`--git-dir=${git}`, ...args], { maxBuffer: MAX_BUFFER, ...options });

/** A commit's Python files by path, with the hashes of their contents. */
export function pythonFiles(git, commit) {
  const files = new Map();
  for (const entry of run(git, ['ls-tree', '-r', '-z', commit], { encoding: 'utf8' }).split('\0')) {
    const match = /^100\d+ blob ([0-9a-f]{40})\t(.+\.py)$/s.exec(entry);
    if (match) files.set(match[2], match[1]);
  }
  return files;
}

/** The contents of blobs, in order. */
function readBlobs(git, hashes) {
  if (hashes.length === 0) return [];
  const out = run(git, ['cat-file', '--batch'], { input: `${hashes.join('\n')}\n` });
  const contents = [];
  for (let at = 0; at < out.length; ) {
    const end = out.indexOf(10, at);
    const size = Number(out.toString('latin1', at, end).split(' ')[2]);
    contents.push(out.subarray(end + 1, end + 1 + size));
    at = end + 2 + size;
  }
  return contents;
}

/** Oldest first, so that neighbours share most files. */
export function byAge(git, issues) {
  const age = new Map();
  for (const { commit } of issues)
    if (!age.has(commit)) age.set(commit, Number(run(git, ['log', '-1', '--format=%ct', commit]).toString()));
  return [...issues].sort((a, b) => age.get(a.commit) - age.get(b.commit) || a.name.localeCompare(b.name));
}

/** Returns a function from a commit to its index; call it in the order of `byAge`. */
export function createHistory(product, { git, model, readSymbols, cache }) {
  let segments = [];
  let state = new Map();
  return async (commit) => {
    const files = pythonFiles(git, commit);
    let changed = [...files].filter(([path, hash]) => state.get(path) !== hash);
    if (segments.length >= MAX_SEGMENTS) {
      segments = [];
      state = new Map();
      changed = [...files];
    }
    if (changed.length > 0)
      segments.push(await segmentOf(product, { git, model, readSymbols, cache }, changed));
    for (const [path, hash] of changed) state.set(path, hash);
    const gone = [...state.keys()].filter((path) => !files.has(path));
    return product.joinSegments(segments, new Set(gone));
  };
}

async function segmentOf(product, { git, model, readSymbols, cache }, changed) {
  const key = product.contentHash(Buffer.from(JSON.stringify([model.name, changed])));
  const kept = cache && join(cache, `${key}.segment`);
  if (kept && existsSync(kept)) return product.openSegment(kept).segment;
  const builder = new product.SegmentBuilder(model, readSymbols);
  const contents = readBlobs(
    git,
    changed.map(([, hash]) => hash),
  );
  for (const [at, [path]] of changed.entries()) {
    const read = product.indexableText(path, contents[at]);
    if ('text' in read) await builder.add({ path, text: read.text, hash: '', size: 0, mtimeMs: 0 });
  }
  const segment = builder.finish();
  if (kept) {
    mkdirSync(cache, { recursive: true });
    product.writeSegment(kept, segment);
  }
  return segment;
}
