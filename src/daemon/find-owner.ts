import { systemCode } from '../contract/errors.ts';
import { callOwner, NoAnswer } from './http-client.ts';
import { type OwnerRecord, readOwner } from './owner-file.ts';

const ANSWER_MS = 5_000;

interface Hello {
  readonly version: string;
  readonly idle: boolean;
}

export type RunningOwner = OwnerRecord & Hello;

/** The running owner, or why there is none to talk to. */
export interface Sight {
  readonly owner?: RunningOwner;
  /** It said where it is, and cannot be talked to there. */
  readonly reason?: string;
  /** It can be reached, but does not answer. */
  readonly silent?: boolean;
}

/** Looks for the owner where it said that it is. */
export async function lookForOwner(home: string, answerMs = ANSWER_MS): Promise<Sight> {
  const record = readOwner(home);
  if (record === undefined || record.socket === '') return {};
  try {
    const reply = await callOwner(record, 'GET', '/internal/hello', undefined, { timeoutMs: answerMs });
    if (reply.status !== 200) return { reason: 'another program is in its place' };
    // Our own route, on a socket that only this user can have made.
    return { owner: { ...record, ...(JSON.parse(reply.body) as Hello) } };
  } catch (error) {
    if (error instanceof NoAnswer) return { reason: error.message, silent: true };
    return { reason: systemCode(error) ?? String(error) };
  }
}

/** The running owner, if there is one that answers. */
export async function findOwner(home: string, answerMs?: number): Promise<RunningOwner | undefined> {
  return (await lookForOwner(home, answerMs)).owner;
}
