import { z } from 'zod';

/** The envelope as an output schema, for `--structured`. Data differs by operation and is left open. */
export function outputSchema() {
  return z.object({
    data: z.looseObject({}),
    pagination: z
      .object({
        total_in_page: z.number(),
        total: z.number().optional(),
        has_more: z.boolean(),
        next_cursor: z.string().optional(),
      })
      .optional(),
    hint: z.string().optional(),
    link: z.string().optional(),
    links: z.record(z.string(), z.string()).optional(),
    meta: z.looseObject({ bytes: z.number(), estimated_tokens: z.number() }),
  });
}
