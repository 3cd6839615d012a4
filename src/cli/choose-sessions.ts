import { createInterface } from 'node:readline/promises';
import { SESSION_SCOPES, type SessionScope } from '../contract/caller.ts';
import { PinholeError } from '../contract/errors.ts';

const QUESTION = `Which agent sessions may your agents see?
  all      of every project on this machine
  project  only those of the folder they run in
[all/project, Enter: as it is set up now, otherwise all] `;

/**
 * Which sessions agents may see: as the flag says, or as a person answers where one can be asked. Undefined: as it is
 * set up now, otherwise all.
 */
export async function chooseSessions(
  given: string | undefined,
  mayAsk: boolean,
): Promise<SessionScope | undefined> {
  if (given !== undefined) return scopeNamed(given);
  if (!mayAsk || process.stdin.isTTY !== true) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question(QUESTION);
  lines.close();
  return answer.trim() === '' ? undefined : scopeNamed(answer.trim().toLowerCase());
}

function scopeNamed(word: string): SessionScope {
  const scope = SESSION_SCOPES.find((each) => each === word);
  if (scope !== undefined) return scope;
  throw new PinholeError('invalid_parameter', `--sessions must be ${SESSION_SCOPES.join(' or ')}.`);
}
