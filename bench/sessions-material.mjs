import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Every log below a folder. */
export function sourceLogs(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:jsonl|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter(
      (path) => !/\.meta\.json$|sessions-index\.json|projects\.json|tool-(?:results|outputs)/.test(path),
    )
    .sort();
}

const UUID = /\b([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/g;
const NAMED = /\b((?:msg|resp|req|toolu|call|rs|fc|fco)_[A-Za-z0-9-]{6,})/g;

/** A text with all ids changed consistently: another session with the same content. */
export function withFreshIds(text, copy) {
  if (copy === 0) return text;
  const mask = Math.imul(copy, 0x9e3779b1) >>> 0;
  const fresh = (_, head, rest) =>
    ((Number.parseInt(head, 16) ^ mask) >>> 0).toString(16).padStart(8, '0') + rest;
  return text.replace(UUID, fresh).replace(NAMED, (id) => `${id}x${copy}`);
}

/**
 * Copies the logs below `<folder>/<client>` over and over, each time with fresh ids, until there are `wanted` bytes;
 * returns how many there are.
 */
export function multiply(folder, target, wanted) {
  const files = sourceLogs(folder);
  let bytes = 0;
  for (let copy = 0; bytes < wanted; copy++) {
    for (const file of files) {
      if (bytes >= wanted) break;
      const [client, ...rest] = relative(folder, file).split('/');
      const path = join(target, client, `copy-${copy}`, withFreshIds(rest.join('/'), copy));
      const text = withFreshIds(readFileSync(file, 'utf8'), copy);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      bytes += Buffer.byteLength(text);
    }
  }
  return bytes;
}
