import type { Hono } from 'hono';
import { BUDGET } from '../contract/caller.ts';
import { failure } from '../contract/engine.ts';
import { ERROR_STATUS, PinholeError } from '../contract/errors.ts';

/** Unknown routes and unexpected failures get the same error body as everything else. */
export function answerErrors(app: Hono, log: (line: string) => void): void {
  app.notFound((c) =>
    c.json(
      new PinholeError('not_found', 'There is nothing here. /api/openapi.json lists all routes.').toBody(),
      404,
    ),
  );
  app.onError((error, c) => {
    const answer = failure(error, { door: 'rest', format: 'json', budget: BUDGET.default }, log);
    return c.body(answer.rendered.text, ERROR_STATUS[answer.error.code], {
      'content-type': 'application/json; charset=utf-8',
    });
  });
}
