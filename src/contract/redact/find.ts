import { ASSIGNMENT_TRIGGERS } from './assignments.ts';
import { COMMAND_TRIGGERS } from './commands.ts';
import type { Finding } from './finding.ts';
import { HEADER_TRIGGERS } from './headers.ts';
import { KNOWN_TRIGGERS } from './known.ts';
import { PRIVATE_KEY_TRIGGERS } from './private-key.ts';
import { createByteTest, createScanner } from './scan.ts';
import { TOKEN_TRIGGERS } from './tokens.ts';

const TRIGGERS = [
  ...TOKEN_TRIGGERS,
  ...KNOWN_TRIGGERS,
  ...PRIVATE_KEY_TRIGGERS,
  ...HEADER_TRIGGERS,
  ...COMMAND_TRIGGERS,
  ...ASSIGNMENT_TRIGGERS,
];

const scan = createScanner(TRIGGERS);

/** False when the UTF-8 text `bytes[from, to)` holds no secret; cheaper than to look for one. */
export const mayHoldSecret = createByteTest(TRIGGERS);

/** All secrets of a text, in order, none overlapping another. */
export function findSecrets(text: string): readonly Finding[] {
  const found: Finding[] = [];
  let coveredTo = 0;
  scan(text, (trigger, at) => {
    if (at < coveredTo) return;
    const finding = trigger.detect(text, at);
    if (finding === undefined) return;
    found.push(finding);
    if (!finding.vague) coveredTo = Math.max(coveredTo, finding.end);
  });
  return found.length > 1 ? merged(found) : found;
}

// Two findings that overlap are one secret: the better known kind names it.
function merged(found: Finding[]): readonly Finding[] {
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const result: Finding[] = [];
  for (const finding of found) {
    const last = result.at(-1);
    if (last === undefined || finding.start >= last.end) {
      result.push(finding);
      continue;
    }
    const named = last.vague && !finding.vague ? finding : last;
    result[result.length - 1] = { ...named, start: last.start, end: Math.max(last.end, finding.end) };
  }
  return result;
}
