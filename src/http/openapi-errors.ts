import { errorJsonSchema } from '../contract/error-schema.ts';
import { ERROR_STATUS, type ErrorCode } from '../contract/errors.ts';
import type { JsonSchema } from '../contract/input.ts';

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is wrong; the message says what to send instead.',
  401: 'The request does not prove who is asking.',
  403: 'Not allowed for this caller, or outside the allowed folders.',
  404: 'It does not exist.',
  409: 'It conflicts with the current state.',
  413: 'The body is too large.',
  429: 'Too many calls; the message says when to try again.',
  500: 'Pinhole failed.',
  503: 'The database of a team server cannot be used now. Try again after the time in Retry-After.',
  504: 'The search ran out of time before it found anything.',
};

// Object.entries of our own constant.
const CODES = Object.entries(ERROR_STATUS) as readonly [ErrorCode, number][];
const STATUSES = [...new Set(CODES.map(([, status]) => status))].sort((a, b) => a - b);

/** The answers of every status that an error can have, each with the codes it has then. */
export function errorResponses(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    STATUSES.map((status) => [
      `Error${status}`,
      {
        description: DESCRIPTIONS[status] ?? 'An error',
        content: { 'application/json': { schema: { $ref: `#/components/schemas/Error${status}` } } },
      },
    ]),
  );
}

/** The body of an error, for each status. */
export function errorSchemas(): Readonly<Record<string, JsonSchema>> {
  const error = (codes: readonly string[]) => {
    const schema = structuredClone(errorJsonSchema());
    // Made by errors.ts: an object with the one property `error`, which has `code`.
    const { error: body } = schema.properties as { error: { properties: { code: { enum: string[] } } } };
    body.properties.code.enum = [...codes];
    return schema;
  };
  const byStatus = STATUSES.map((status) => [
    `Error${status}`,
    error(CODES.flatMap(([code, own]) => (own === status ? code : []))),
  ]);
  return Object.fromEntries(byStatus);
}

/** The errors that a route can answer with. */
export function errorAnswers(statuses: readonly number[] = STATUSES): JsonSchema {
  const known = statuses.filter((status) => STATUSES.some((each) => each === status));
  return Object.fromEntries(
    known.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}
