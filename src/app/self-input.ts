import type { Caller } from '../contract/caller.ts';
import type { RawInput } from '../contract/input.ts';
import { askingSession, SELF } from '../sessions/recall/self-session.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** The inputs that name a session. */
const NAMES = ['session_id', 'of'];
/** Says itself how it found the session. */
const EXCEPT = 'recall';

/** The input with the id of the session that is asking in place of `self`. */
export async function withSelf(
  input: RawInput,
  { operation, caller, sessions, now }: SelfContext,
): Promise<RawInput> {
  const name = NAMES.find((each) => input[each] === SELF);
  if (name === undefined || operation === EXCEPT) return input;
  const { session } = await askingSession(SELF, caller, sessions, now);
  return { ...input, [name]: session.id };
}

export interface SelfContext {
  readonly operation: string;
  readonly caller: Caller;
  readonly sessions: Pick<Sessions, 'list'>;
  readonly now: number;
}
