import type { CallGlance } from './audit-log.ts';
import { toJson } from './bytes.ts';
import type { Answer } from './engine.ts';
import type { RawInput } from './input.ts';
import { redactDeep } from './redact.ts';

/** Characters of an input that people can look at later. */
const MAX_ASKED = 600;

const MAX_ANSWERED = 200;

/** What people can look at later. An answer is redacted before it is written, an input is not. */
export function glanceOf(raw: RawInput, answered: Answer): CallGlance {
  const first = answered.rendered.text.split('\n', 5).find((line) => line.trim() !== '') ?? '';
  return {
    asked: cutAt(toJson(redactDeep(raw)), MAX_ASKED),
    rows: answered.ok ? answered.envelope.pagination?.total_in_page : undefined,
    answered: cutAt(first.trim(), MAX_ANSWERED),
  };
}

function cutAt(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
