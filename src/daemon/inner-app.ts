import { Hono } from 'hono';
import { matchStream } from '../app/match-stream.ts';
import type { OpenApp } from '../app/open-app.ts';
import type { Caller } from '../contract/caller.ts';
import type { RawInput } from '../contract/input.ts';
import { createRoots } from '../contract/roots.ts';
import { VERSION } from '../contract/version.ts';
import { answerErrors } from '../http/errors.ts';
import { streamed } from '../http/streamed.ts';
import type { Activity } from './activity.ts';

interface InnerOptions {
  readonly house: OpenApp;
  readonly activity: Activity;
  readonly log: (line: string) => void;
  /** Path of the page for a person, which signs in once. */
  readonly pageLink: () => string;
  readonly stop: () => void;
}

/**
 * What our own programs ask the owner, as this user and with all that this user may read. It is served on the private
 * socket alone: nothing here exists on the network.
 */
export function innerApp({ house, activity, log, pageLink, stop }: InnerOptions): Hono {
  const app = new Hono();
  app.use(activity.counted((c) => c.req.path === '/internal/hello'));
  app.get('/internal/hello', (c) =>
    c.json({
      version: VERSION,
      pid: process.pid,
      idle: activity.idleFor() > 10_000 && !house.services.jobs.busy(),
    }),
  );
  app.post('/internal/run', async (c) => {
    // Sent by our own remote engine.
    const { operation, input, caller } = (await c.req.json()) as {
      operation: string;
      input: RawInput;
      caller: Caller;
    };
    return c.json(await house.engine.run(operation, input, { caller, signal: c.req.raw.signal }));
  });
  let greps = 0;
  app.post('/internal/grep', async (c) => {
    const request: unknown = await c.req.json();
    const caller = { door: 'cli', client: 'cli', id: `cli#grep${++greps}` } as const;
    const roots = await createRoots(['/']);
    return await streamed(matchStream(house.services, request, caller, roots, c.req.raw.signal), {});
  });
  app.post('/internal/page-link', (c) => c.json({ path: pageLink() }));
  app.post('/internal/stop', (c) => {
    setImmediate(stop);
    return c.json({ stopping: true });
  });
  answerErrors(app, log);
  return app;
}
