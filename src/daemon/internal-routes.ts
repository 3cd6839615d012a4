import { Hono } from 'hono';
import { matchStream } from '../app/match-stream.ts';
import type { OpenApp } from '../app/open-app.ts';
import { encodeFrames } from '../connect/stream-frames.ts';
import { BUDGET, type Caller } from '../contract/caller.ts';
import { failure } from '../contract/engine.ts';
import type { RawInput } from '../contract/input.ts';
import { createRoots } from '../contract/roots.ts';
import { VERSION } from '../contract/version.ts';
import { answerErrors } from '../http/answer-errors.ts';
import { limitBody } from '../http/body-limit.ts';
import { streamed } from '../http/streamed.ts';
import type { Activity } from './activity.ts';

interface InternalOptions {
  readonly app: OpenApp;
  readonly activity: Activity;
  readonly log: (line: string) => void;
  /** Path of the page for a person; it signs in one browser, once. */
  readonly pageLink: () => string;
  /** Replaces the token and returns the new one. */
  readonly rotateToken: () => string;
  readonly stop: () => void;
}

/** A process that was just called may be called again at once: only after this time it counts as idle. */
const IDLE_AFTER_MS = 10_000;

/**
 * The routes for our own programs, which call as this user and may read whatever this user may read. They are served
 * on the private socket alone; none of them exists on the network.
 */
export function internalRoutes(options: InternalOptions): Hono {
  const { app, activity, log, pageLink, rotateToken, stop } = options;
  const { engine, services } = app;
  const routes = new Hono();
  routes.use(activity.counted((c) => c.req.path === '/internal/hello'));
  routes.use(limitBody());
  routes.get('/internal/hello', (c) =>
    c.json({
      version: VERSION,
      pid: process.pid,
      idle: activity.idleFor() > IDLE_AFTER_MS && !services.jobs.busy(),
    }),
  );
  routes.post('/internal/run', async (c) => {
    // Sent by our own remote engine.
    const { operation, input, caller } = (await c.req.json()) as {
      operation: string;
      input: RawInput;
      caller: Caller;
    };
    return c.json(await engine.run(operation, input, { caller, signal: c.req.raw.signal }));
  });
  let greps = 0;
  routes.post('/internal/grep', async (c) => {
    const request: unknown = await c.req.json();
    const caller = { door: 'cli', client: 'cli', id: `cli#grep${++greps}` } as const;
    const matches = matchStream(services, request, caller, await createRoots(['/']), c.req.raw.signal);
    const frames = encodeFrames(matches, (error) => {
      const { error: body } = failure(error, { door: 'cli', format: 'json', budget: BUDGET.default }, log);
      return { error: body };
    });
    return await streamed(frames, { 'content-type': 'application/octet-stream' });
  });
  routes.post('/internal/page-link', (c) => c.json({ path: pageLink() }));
  routes.post('/internal/rotate-token', (c) => c.json({ token: rotateToken() }));
  routes.post('/internal/stop', (c) => {
    setImmediate(stop);
    return c.json({ stopping: true });
  });
  answerErrors(routes, log);
  return routes;
}
