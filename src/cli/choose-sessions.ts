import { SESSION_SCOPES, type SessionScope } from '../contract/caller.ts';
import { PinholeError } from '../contract/errors.ts';
import { askPerson } from './ask-person.ts';

const QUESTION = `Which agent sessions may your agents see?
  all      of every project on this machine
  project  only those of the folder they run in
[all/project, Enter: keep the current setting, or all] `;

/**
 * Which sessions agents may see: as the flag says, or as a person answers where one can be asked. Undefined: as it is
 * set up now, otherwise all.
 */
export async function chooseSessions(
  given: string | undefined,
  mayAsk: boolean,
): Promise<SessionScope | undefined> {
  if (given !== undefined) {
    const scope = scopeNamed(given);
    if (scope !== undefined) return scope;
    throw new PinholeError('invalid_parameter', `--sessions must be ${SESSION_SCOPES.join(' or ')}.`);
  }
  if (!mayAsk || process.stdin.isTTY !== true) return undefined;
  for (let question = QUESTION; ; question = `Type ${SESSION_SCOPES.join(' or ')}, or press Enter: `) {
    const answer = await askPerson(question);
    const scope = scopeNamed(answer.toLowerCase());
    if (answer === '' || scope !== undefined) return scope;
  }
}

const scopeNamed = (word: string): SessionScope | undefined => SESSION_SCOPES.find((each) => each === word);
