import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { redactLines } from '../../src/contract/redact.ts';

interface ChangedLine {
  readonly place: string;
  readonly after: string;
  /** True if what was removed does not look like a credential. */
  readonly doubtful: boolean;
}

const SKIPPED = /(?:^|\/)(?:node_modules|\.git|dist)(?:\/|$)/;
const MAX_FILE_BYTES = 4_000_000;

/** The lines of a folder's text files that redaction changes. */
export function changedLines(folder: string): {
  readonly lines: number;
  readonly changed: readonly ChangedLine[];
} {
  let lines = 0;
  const changed: ChangedLine[] = [];
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, String(name));
    if (SKIPPED.test(path) || !isSmallFile(path)) continue;
    const bytes = readFileSync(path);
    if (bytes.subarray(0, 8_000).includes(0)) continue;
    const text = bytes.toString('utf8');
    const before = text.split('\n');
    lines += before.length;
    const clean = redactLines(text);
    if (clean === text) continue;
    for (const [at, after] of clean.split('\n').entries()) {
      const line = before[at] ?? '';
      if (line !== after)
        changed.push({ place: `${path}:${at + 1}`, after, doubtful: isDoubtful(line, after) });
    }
  }
  return { lines, changed };
}

function isSmallFile(path: string): boolean {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_FILE_BYTES;
  } catch {
    return false;
  }
}

/**
 * Judged independently of the rules under test: a value of only letters, dots and dashes, all in one case, that is
 * neither the password in a URL nor right after the word itself, could be anything.
 */
function isDoubtful(before: string, after: string): boolean {
  // The other kinds are recognised by their form.
  if (!/\[redacted:(?:password|secret|token|api-key)\]/.test(after)) return false;
  const [lead = '', ...rest] = after.split(/\[redacted:[a-z0-9-]+\]/);
  const tail = rest.at(-1) ?? '';
  const value = before.slice(lead.length, before.length - tail.length);
  if (/\d/.test(value) || /[^\w.-]/.test(value)) return false;
  if (/:\/\/[^\s]*:$|-p$|-u \S+:$/.test(lead)) return false;
  return !/(?:pass(?:word|wd|phrase)?|pwd|secret)\w*["'`]?\s*(?:=>|:?=|:)\s*["'`]?$/i.test(lead);
}
