import { closeSync, readSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { openLog } from '../../read/source.ts';
import type { SessionStore } from '../provider.ts';
import { localTime, typedPrompts } from './aider-files.ts';
import { chatRecords } from './aider-records.ts';

/** One chat in a history file. */
interface Section {
  readonly id: string;
  readonly ms: number;
  readonly start: number;
  /** Something was typed: in other sections the program was only started. */
  readonly used: boolean;
}

interface Known {
  readonly size: number;
  readonly inode: number;
  readonly changedMs: number;
  readonly sections: readonly Section[];
}

/** The sections of files that were read before; a file that only grew is read from its last section on. */
const known = new Map<string, Known>();
const HEADER = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\r?$/gm;
const PROMPT = /^#### .* {2}\r?$/m;

export const aiderChats: SessionStore = {
  sessions(file) {
    const { sections, size, changedMs } = sectionsOf(file);
    return sections
      .map((section, at) => {
        const next = sections[at + 1];
        return {
          ...section,
          size: (next?.start ?? size) - section.start,
          // The last section grows. Once it has a successor, what was held back is read.
          changedMs: next?.ms ?? changedMs,
        };
      })
      .filter(({ used }) => used)
      .map(({ id, size: bytes, changedMs: at }) => ({ id, size: bytes, changedMs: at }));
  },
  *records(file, session, from) {
    const { sections, size } = sectionsOf(file);
    const at = sections.findIndex(({ id }) => id === session);
    const section = sections[at];
    if (section === undefined) throw new Error(`no chat ${session} in ${file}`);
    const next = sections[at + 1];
    const typed = typedPrompts(dirname(file)).filter(
      ({ ms }) => ms >= section.ms && (next === undefined || ms < next.ms),
    );
    const records = chatRecords(readPart(file, section.start, next?.start ?? size), {
      ended: next !== undefined,
      session: { type: 'session', id: session, at: section.ms },
      typed,
    });
    yield* records.slice(from);
  },
};

function sectionsOf(file: string): Known {
  const { fd, stats } = openLog(file);
  closeSync(fd);
  const before = known.get(file);
  const same = before !== undefined && before.inode === stats.ino;
  if (same && before.size === stats.size && before.changedMs === stats.mtimeMs) return before;
  const last = same && before.size <= stats.size ? before.sections.at(-1) : undefined;
  const from = last?.start ?? 0;
  const text = readPart(file, from, stats.size).toString('utf8');
  // A rewritten file is read as a whole.
  const grown = last !== undefined && text.startsWith('# aider chat started at ');
  const sections = grown
    ? sectionsIn(file, text, from, before?.sections.slice(0, -1) ?? [])
    : sectionsIn(file, from === 0 ? text : readPart(file, 0, stats.size).toString('utf8'), 0, []);
  const found = { size: stats.size, inode: stats.ino, changedMs: stats.mtimeMs, sections };
  known.set(file, found);
  return found;
}

function sectionsIn(
  file: string,
  text: string,
  from: number,
  earlier: readonly Section[],
): readonly Section[] {
  const sections = [...earlier];
  const headers = [...text.matchAll(HEADER)];
  let bytes = from;
  let at = 0;
  for (const [number, { 1: written = '', index }] of headers.entries()) {
    bytes += Buffer.byteLength(text.slice(at, index));
    at = index;
    const end = headers[number + 1]?.index ?? text.length;
    // Chats have no ids. Two may begin within a second.
    const name = `${basename(dirname(file))}-${written.replace(/[- :]/g, '').replace(/^\d{8}/, '$&-')}`;
    const twins = sections.filter(({ id }) => id === name || id.startsWith(`${name}-`)).length;
    sections.push({
      id: twins === 0 ? name : `${name}-${twins + 1}`,
      ms: localTime(written) ?? 0,
      start: bytes,
      used: PROMPT.test(text.slice(index, end)),
    });
  }
  return sections;
}

function readPart(file: string, start: number, end: number): Buffer {
  const { fd } = openLog(file);
  try {
    const bytes = Buffer.alloc(Math.max(0, end - start));
    let filled = 0;
    while (filled < bytes.length) {
      const read = readSync(fd, bytes, filled, bytes.length - filled, start + filled);
      if (read === 0) break;
      filled += read;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(fd);
  }
}
