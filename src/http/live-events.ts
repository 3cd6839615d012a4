import { realpath } from 'node:fs/promises';
import type { Context, Hono } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Services } from '../app/services.ts';
import { isoTime } from '../contract/time.ts';
import { jobCard } from '../jobs/operations/job-progress.ts';
import { maySeeJob } from '../jobs/visible-jobs.ts';
import { type SessionChangeCard, sessionChangeCard } from '../sessions/operations/session-change.ts';
import type { SessionRow } from '../sessions/store/session-row.ts';
import { eventData } from './job-events.ts';
import { requestRoots, requestSessions } from './person.ts';
import { startWords } from './start-words.ts';

/** The first event: a page that sees another process than before must ask again. */
export interface LiveHello {
  readonly version: string;
  readonly started_at: string;
  /** The words that start Pinhole from a shell, as it was started. */
  readonly start: readonly string[];
  /** Sessions come from several machines and people. */
  readonly team: boolean;
  /** Where Pinhole keeps its data on this machine; not told to the people of a team. */
  readonly data_folder?: string;
}

/** How many sessions were written to in the last moment. */
export interface SessionsChanged {
  readonly changed: number;
}

/** Bytes of agent logs read and to read; both 0 when everything is read. */
export interface LogsReading {
  readonly done: number;
  readonly total: number;
}

/** How often the reading of logs is looked at; what takes less time is not reported. */
const READING_MS = 500;
/** Changes within this time are reported together. */
const GATHER_MS = 250;
/** Shows that a quiet stream is still connected. A named event, because EventSource hides comments from scripts. */
const BEAT_MS = 15_000;

/**
 * `GET /api/live`: all changes on one connection, because a browser opens only a few. Events: `hello`, `beat` (still
 * connected), `job` (its card), `sessions` (how many changed), `reading` (how far logs are read) and, for the session named by `?session=`, `session`
 * (what is new).
 */
export function liveEvents(app: Hono, services: Services, url: (path: string) => string): void {
  const { about, jobs } = services;
  app.get('/api/live', async (c: Context) => {
    const named = c.req.query('session');
    const sessions = await requestSessions(c, services);
    // An unknown session id does not end the stream: the view itself says that the session does not exist.
    const find = () => (named === undefined ? undefined : sessions.list.find(named).catch(() => undefined));
    const followed = await find();
    return streamSSE(c, async (stream) => {
      const send = sender(stream);
      const home = await realpath(about.home);
      const hello: LiveHello = {
        version: about.version,
        started_at: isoTime(about.started_at),
        start: startWords(process.argv[1] ?? '', process.env.PATH ?? ''),
        team: services.team !== undefined,
        ...(services.team === undefined && { data_folder: home }),
      };
      const counted = gather((changed) => void send('sessions', { changed } satisfies SessionsChanged));
      const stops = [
        // Checked for each job, because folders can be allowed meanwhile.
        jobs.watchAll(async (job) => {
          if (maySeeJob(job, await requestRoots(c, services))) await send('job', jobCard(job, url));
        }),
        sessions.reading.onChange((keys) => counted.add(keys.length)),
        ...(followed === undefined
          ? []
          : [sessions.reading.follow(followed, (change) => void send('session', sessionChangeCard(change)))]),
        counted.stop,
        watchReading(sessions.reading.progress, (reading) => void send('reading', reading)),
      ];
      // Sent after all subscriptions, so that a page that asks after it misses nothing.
      await send('hello', hello);
      const now = await find();
      if (now !== undefined) await send('session', unchanged(now));
      const beat = setInterval(() => void send('beat', {}), BEAT_MS);
      await new Promise<void>((resolve) => stream.onAbort(resolve));
      clearInterval(beat);
      for (const stop of stops) stop();
    });
  });
}

/** Reports how far logs are read while that takes more than a moment, and then its end. */
function watchReading(
  progress: () => LogsReading | undefined,
  report: (reading: LogsReading) => void,
): () => void {
  let reported = false;
  let busy = progress() !== undefined;
  const timer = setInterval(() => {
    const now = progress();
    // Before the logs are listed nothing can be said; a total of 0 would mean the end.
    if (now?.total === 0) return;
    if (now !== undefined && busy) report(now);
    else if (now === undefined && reported) report({ done: 0, total: 0 });
    reported = now !== undefined && busy;
    busy = now !== undefined;
  }, READING_MS);
  return () => clearInterval(timer);
}

/** The current state of a session, as a change in which nothing is new. */
function unchanged(session: SessionRow): SessionChangeCard {
  return sessionChangeCard({
    session,
    firstEvent: session.events,
    firstTurn: session.turns,
    rewritten: false,
    subagents: false,
  });
}

/** Writes events one after another; `onAbort` reports a broken connection. */
function sender(stream: SSEStreamingApi): (event: string, data: unknown) => Promise<void> {
  let last = Promise.resolve();
  return (event, data) => {
    last = last.then(() => stream.writeSSE({ event, data: eventData(data) })).catch(() => {});
    return last;
  };
}

/** Adds up for a moment and reports the sum. */
function gather(report: (count: number) => void): { add(count: number): void; stop(): void } {
  let sum = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    add(count) {
      sum += count;
      timer ??= setTimeout(() => {
        report(sum);
        sum = 0;
        timer = undefined;
      }, GATHER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
