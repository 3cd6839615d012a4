import { z } from 'zod';
import type { JsonSchema } from './input.ts';
import { type NextCall, nextCallSchema } from './next-call.ts';
import type { Operation } from './operation.ts';

const paginationSchema = z.object({
  total_in_page: z.int(),
  /** Rows of all pages together, where that is known. */
  total: z.int().optional(),
  /** Rows after this page, where that is known. */
  left: z.int().optional(),
  has_more: z.boolean(),
  next_cursor: z.string().max(24).optional(),
});

/** The envelope around data of this schema: what every successful answer looks like as JSON. */
function envelopeSchema<Data extends z.ZodType>(data: Data) {
  return z.object({
    data,
    pagination: paginationSchema.optional(),
    next: z.array(nextCallSchema).optional(),
    link: z.string().optional(),
    links: z.record(z.string(), z.string()).optional(),
    meta: z.looseObject({ bytes: z.int(), estimated_tokens: z.int() }),
  });
}

export type Pagination = Readonly<z.infer<typeof paginationSchema>>;
type Sent = z.infer<ReturnType<typeof envelopeSchema>>;

/** A successful answer as a value; `meta` gets its size when it is rendered. */
export interface Envelope<Data = unknown> extends Readonly<Omit<Sent, 'data' | 'next' | 'meta'>> {
  readonly data: Data;
  readonly next?: readonly NextCall[] | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** JSON Schema of an operation's answers: for MCP's `outputSchema` and for OpenAPI. */
export function outputJsonSchema({ data }: Pick<Operation<never>, 'data'>): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(envelopeSchema(data), {
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Fields may be added to answers; integers are as large as a file can be.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema;
}
