import type { Context, Hono } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Services } from '../app/services.ts';
import { isoTime } from '../contract/time.ts';
import { jobCard } from '../jobs/operations/job-progress.ts';
import { maySeeJob } from '../jobs/visible.ts';
import { type SessionChangeCard, sessionChangeCard } from '../sessions/operations/session-change.ts';
import type { SessionRow } from '../sessions/store/session-row.ts';
import { eventData } from './events.ts';
import { requestRoots } from './person.ts';

/** What the stream says first: another process than before has other answers. */
export interface LiveHello {
  readonly version: string;
  readonly started_at: string;
}

/** So many sessions were written to in the last moment. */
export interface SessionsChanged {
  readonly changed: number;
}

/** Changes that come close together are told together. */
const GATHER_MS = 250;
/** A quiet stream still says that it lives, so that both sides notice a broken line: a comment would reach no script. */
const BEAT_MS = 15_000;

/**
 * `GET /api/live`: everything that changes, on one connection, since a browser opens few of them. Events: `hello`,
 * `beat` (nothing but that it lives), `job` (its card), `sessions` (how many changed) and, for the one named by `?session=`, `session` (what is new).
 */
export function liveEvents(app: Hono, services: Services, url: (path: string) => string): void {
  const { about, jobs, sessions } = services;
  app.get('/api/live', async (c: Context) => {
    const named = c.req.query('session');
    // One that is not known is no reason to tell nothing: the view itself says that it is not there.
    const find = () => (named === undefined ? undefined : sessions.list.find(named).catch(() => undefined));
    const followed = await find();
    return streamSSE(c, async (stream) => {
      const send = sender(stream);
      const hello: LiveHello = {
        version: about.version,
        started_at: isoTime(about.started_at),
      };
      const counted = gather((changed) => void send('sessions', { changed } satisfies SessionsChanged));
      const stops = [
        // Asked for each, since folders are allowed and brought meanwhile.
        jobs.watchAll(async (job) => {
          if (maySeeJob(job, await requestRoots(c, services))) await send('job', jobCard(job, url));
        }),
        sessions.reading.onChange((keys) => counted.add(keys.length)),
        ...(followed === undefined
          ? []
          : [sessions.reading.follow(followed, (change) => void send('session', sessionChangeCard(change)))]),
        counted.stop,
      ];
      // Said when everything is listened to: whoever asks after it misses nothing.
      await send('hello', hello);
      const now = await find();
      if (now !== undefined) await send('session', standing(now));
      const beat = setInterval(() => void send('beat', {}), BEAT_MS);
      await new Promise<void>((resolve) => stream.onAbort(resolve));
      clearInterval(beat);
      for (const stop of stops) stop();
    });
  });
}

/** Where a session stands, as a change in which nothing is new. */
function standing(session: SessionRow): SessionChangeCard {
  return sessionChangeCard({
    session,
    firstEvent: session.events,
    firstTurn: session.turns,
    rewritten: false,
    subagents: false,
  });
}

/** Writes one after the other; a line that broke is told by `onAbort`. */
function sender(stream: SSEStreamingApi): (event: string, data: unknown) => Promise<void> {
  let last = Promise.resolve();
  return (event, data) => {
    last = last.then(() => stream.writeSSE({ event, data: eventData(data) })).catch(() => {});
    return last;
  };
}

/** Adds up for a moment and tells the sum. */
function gather(tell: (count: number) => void): { add(count: number): void; stop(): void } {
  let sum = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    add(count) {
      sum += count;
      timer ??= setTimeout(() => {
        tell(sum);
        sum = 0;
        timer = undefined;
      }, GATHER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
