import type { CallGlance } from './audit-log.ts';
import { toJson } from './bytes.ts';
import type { Answer } from './engine.ts';
import type { RawInput } from './input.ts';
import { redactDeep } from './redact.ts';

/** Characters of an input and of an answer. */
const MAX_ASKED = 600;
const MAX_ANSWERED = 200;

/**
 * What people can look at later: an answer is redacted before it is written, an input is not. An excerpt of what was
 * sent is kept as it was sent; nothing takes facts from it.
 */
export function glanceOf(raw: RawInput, answered: Answer): CallGlance {
  return {
    asked: cutAt(toJson(redactDeep(raw)), MAX_ASKED),
    rows: answered.ok ? answered.envelope.pagination?.total_in_page : undefined,
    answered: cutAt(answered.ok ? answered.rendered.text : answered.error.message, MAX_ANSWERED),
  };
}

function cutAt(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
