import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { redactLines } from '../../src/contract/redact.ts';

interface ChangedLine {
  readonly place: string;
  readonly after: string;
  /** What was taken out does not have the form of a credential. */
  readonly doubtful: boolean;
}

const SKIPPED = /(?:^|\/)(?:node_modules|\.git|dist)(?:\/|$)/;
const MAX_BYTES = 4_000_000;

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
    return stats.isFile() && stats.size <= MAX_BYTES;
  } catch {
    return false;
  }
}

/**
 * Judged apart from the rules that are tested: a value that is only letters, dots and dashes, all in one case, and
 * neither the password of an address nor behind the word itself, could be anything.
 */
function isDoubtful(before: string, after: string): boolean {
  // The others are known by their form.
  if (!/\[redacted:(?:password|secret|token|api-key)\]/.test(after)) return false;
  const [lead = '', ...rest] = after.split(/\[redacted:[a-z0-9-]+\]/);
  const tail = rest.at(-1) ?? '';
  const value = before.slice(lead.length, before.length - tail.length);
  if (/\d/.test(value) || /[^\w.-]/.test(value)) return false;
  if (/:\/\/[^\s]*:$|-p$|-u \S+:$/.test(lead)) return false;
  return !/(?:pass(?:word|wd|phrase)?|pwd|secret)\w*["'`]?\s*(?:=>|:?=|:)\s*["'`]?$/i.test(lead);
}
