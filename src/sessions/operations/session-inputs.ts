import { resolve } from 'node:path';
import { z } from 'zod';
import type { Caller } from '../../contract/caller.ts';
import { fail, inputMessage } from '../../contract/errors.ts';
import type { CallContext } from '../../contract/operation.ts';
import { timeOf } from '../../contract/time.ts';
import { PROVIDERS, providerNamed } from '../providers/index.ts';
import type { Sessions } from '../sessions.ts';

export const session_id = z
  .string()
  .describe('a session: its id, the first characters of the id, the path of its log, last, or self');

export const turn_index = z.int().min(0).describe('number of the turn, from 0');

export const event_index = z.int().min(0).describe('number of the event, from 0');

/** Other spellings of a name are accepted too; the schema lists the usual one. */
export const provider = z
  .string()
  .meta({ enum: PROVIDERS.map(({ id }) => id) })
  .describe(`only sessions of this agent: ${PROVIDERS.map(({ id }) => id).join(', ')}`);

export const project = z.string().describe('only sessions of this project: its path, name or hash');

export const machine = z.string().describe('on a team server: only sessions of this machine');
export const person = z.string().describe('on a team server: only sessions of this person');

const TIME_FORMS = 'a date, a time, or an age such as 7d or 12h';
export const since = z.unknown().describe(`from this time on: ${TIME_FORMS}`);
export const until = z.unknown().describe(`up to this time: ${TIME_FORMS}`);

export const SESSION_ALIASES = { id: 'session_id', session: 'session_id' } as const;

/** The id of an agent, given any spelling of its name. */
export function providerOf(
  { providers }: Pick<Sessions, 'providers'>,
  given: string | undefined,
): string | undefined {
  if (given === undefined) return undefined;
  const ids = providers.map(({ id }) => id).join(', ');
  return (
    providerNamed(providers, given)?.id ??
    fail('invalid_parameter', inputMessage`${{ input: 'provider' }} must be one of ${ids}.`)
  );
}

/** A project by its hash or its path, which may be relative to the caller's folder. */
export function projectOf(given: string | undefined, { cwd }: Pick<Caller, 'cwd'>): string | undefined {
  return given !== undefined && cwd !== undefined && /^\.{1,2}(?:\/|$)/.test(given)
    ? resolve(cwd, given)
    : given;
}

interface ScopeInput {
  readonly provider?: string | undefined;
  readonly project?: string | undefined;
  readonly machine?: string | undefined;
  readonly person?: string | undefined;
  readonly since?: unknown;
  readonly until?: unknown;
}

interface ScopeContext extends Pick<CallContext, 'caller' | 'now' | 'zone'> {
  readonly sessions: Pick<Sessions, 'providers'>;
}

/** The sessions a call is about, from the inputs that most operations share. */
export function sessionScope(input: ScopeInput, { sessions, caller, now, zone }: ScopeContext) {
  return {
    provider: providerOf(sessions, input.provider),
    project: projectOf(input.project, caller),
    machine: input.machine,
    person: input.person,
    sinceMs: timeOf('since', input.since, now(), zone),
    untilMs: timeOf('until', input.until, now(), zone),
  };
}
