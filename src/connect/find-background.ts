import { systemCode } from '../contract/errors.ts';
import { type BackgroundRecord, readBackgroundRecord } from './background-record.ts';
import { callBackground, NoAnswer } from './call-background.ts';

const ANSWER_MS = 5_000;

interface Hello {
  readonly version: string;
  readonly idle: boolean;
  /** Earlier versions do not say it. */
  readonly pid?: number;
}

export type RunningBackground = BackgroundRecord & Pick<Hello, 'version' | 'idle'>;

/** The running background process, or why it cannot be called. */
export interface BackgroundSearch {
  readonly background?: RunningBackground;
  /** Why it cannot be called although it left a record. */
  readonly reason?: string;
  /** It accepts connections but does not answer. */
  readonly silent?: boolean;
}

/** Looks for the background process at the place that its record names. */
export async function lookForBackground(home: string, answerMs = ANSWER_MS): Promise<BackgroundSearch> {
  const record = readBackgroundRecord(home);
  if (record === undefined || record.socket === '') return {};
  try {
    const reply = await callBackground(record, 'GET', '/internal/hello', undefined, { timeoutMs: answerMs });
    if (reply.status !== 200) return { reason: 'another program listens there' };
    // Our own route, on a socket that only this user can have made.
    const hello = JSON.parse(reply.body) as Hello;
    // The socket is at the same place after a crash. Port and token of the process before are not those of this one.
    if (hello.pid !== undefined && hello.pid !== record.pid) return { reason: 'it is just starting' };
    return { background: { ...record, ...hello, pid: record.pid } };
  } catch (error) {
    if (error instanceof NoAnswer) return { reason: error.message, silent: true };
    return { reason: systemCode(error) ?? String(error) };
  }
}

/** The running background process, if there is one that answers. */
export async function findBackground(
  home: string,
  answerMs?: number,
): Promise<RunningBackground | undefined> {
  return (await lookForBackground(home, answerMs)).background;
}
