// node overlap.mjs FOLDER_OF_REPOSITORIES OUT: hashes of the files and the long lines of benchmark repositories. Files that share
// more than a few of them are copies, and stay out of the training data.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE =
  /\.(sh|bash|c|h|cc|cpp|hpp|cs|exs?|go|hs|java|m?js|tsx?|kts?|lua|php|pyi?|rb|rs|scala|swift|zig)$/;
const LONG_LINE = 40;
/** A line that stands in several repositories is idiom, not copy. */
const MAX_REPOSITORIES = 3;

/** A number of 53 bits for a line without its spaces. */
export function lineHash(line) {
  let high = 0x811c9dc5;
  let low = 0x1234567;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code <= 32) continue;
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995) ^ (low >>> 15);
  }
  return (high >>> 0) * 2097152 + ((low >>> 0) & 2097151);
}

/** A test for copies: true when more than `limit` of the long code lines are known. */
export function copyTest(file) {
  const bytes = readFileSync(file);
  const known = new Set(
    new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)),
  );
  const isCopy = (lines, limit) => {
    let long = 0;
    let hits = 0;
    for (const line of lines) {
      const text = line.trim();
      if (text.length < LONG_LINE || /^[*#;]|^\/\/|^--|^\/\*/.test(text)) continue;
      long++;
      if (known.has(lineHash(text))) hits++;
    }
    return hits >= 3 && hits / long > limit;
  };
  /** Whether a benchmark repository has the very file. */
  isCopy.whole = (text) => known.has(lineHash(text));
  return isCopy;
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === '.git' || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.isFile() && (SOURCE.test(entry.name) || !entry.name.includes('.'))) yield path;
  }
}

function main([folder, out]) {
  const repositories = new Map();
  for (const name of readdirSync(folder)) {
    const seen = new Set();
    for (const path of sources(join(folder, name))) {
      if (statSync(path).size > 400_000) continue;
      const text = readFileSync(path, 'utf8');
      seen.add(lineHash(text));
      for (const line of text.split('\n')) {
        if (line.trim().length >= LONG_LINE) seen.add(lineHash(line.trim()));
      }
    }
    for (const hash of seen) repositories.set(hash, (repositories.get(hash) ?? 0) + 1);
  }
  const hashes = [...repositories].filter(([, count]) => count <= MAX_REPOSITORIES).map(([hash]) => hash);
  writeFileSync(out, Buffer.from(Float64Array.from(hashes).buffer));
  console.log(`${hashes.length} lines`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
