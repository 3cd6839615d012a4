import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from './errors.ts';
import type { JsonSchema } from './input.ts';
import { nextCallSchema } from './next-call.ts';

// Object.keys of our own constant.
const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

const errorSchema = z.object({
  error: z.object({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    next: nextCallSchema.optional().describe('the call that fixes it'),
    details: z.record(z.string(), z.unknown()).optional(),
    retryable: z.boolean(),
  }),
});

/** JSON Schema of the body of an error, for OpenAPI. Not beside the errors: commands load those, and start without Zod. */
export function errorJsonSchema(): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(errorSchema);
  return schema;
}
