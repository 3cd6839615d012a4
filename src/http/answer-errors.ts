import type { Hono } from 'hono';
import { BUDGET } from '../contract/caller.ts';
import { failure } from '../contract/engine.ts';
import { ERROR_STATUS, PinholeError } from '../contract/errors.ts';

/** The methods of the routes that have this path. */
function methodsAt(app: Hono, path: string): readonly string[] {
  const parts = path.split('/');
  const fits = (route: string) => {
    const own = route.split('/');
    return own.length === parts.length && own.every((part, i) => part.startsWith(':') || part === parts[i]);
  };
  return [
    ...new Set(
      app.routes.filter((route) => route.method !== 'ALL' && fits(route.path)).map(({ method }) => method),
    ),
  ];
}

/** Unknown routes and unexpected failures get the same error body as everything else. */
export function answerErrors(app: Hono, log: (line: string) => void): void {
  app.notFound((c) => {
    const methods = methodsAt(app, c.req.path);
    if (methods.length > 0) {
      c.header('Allow', methods.join(', '));
      const message = `${c.req.method} does nothing here. Use ${methods.join(' or ')}.`;
      return c.json(new PinholeError('method_not_allowed', message).toBody(), 405);
    }
    const message = 'There is nothing here. /api/openapi.json lists all routes.';
    return c.json(new PinholeError('not_found', message).toBody(), 404);
  });
  app.onError((error, c) => {
    const answer = failure(error, { door: 'rest', format: 'json', budget: BUDGET.default }, log);
    const wait =
      answer.error.details?.retry_after_seconds ?? (answer.error.code === 'unavailable' ? 2 : undefined);
    return c.body(answer.rendered.text, ERROR_STATUS[answer.error.code], {
      'content-type': 'application/json; charset=utf-8',
      ...(wait !== undefined && { 'retry-after': String(wait) }),
    });
  });
}
