import { z } from 'zod';

/** A call that an answer or an error suggests: a value that each door puts into its own words. */
export const nextCallSchema = z.object({
  operation: z.string(),
  input: z.record(z.string(), z.unknown()),
});

export interface NextCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What every paged operation takes besides its own input. */
interface PageInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Makes calls to one operation, typed by its input. */
export type CallTo<Shape extends z.ZodObject> = (input: z.input<Shape> & PageInput) => NextCall;

/**
 * The constructor of calls to an operation. It takes the type of the input schema instead of the operation, so that
 * two operations can suggest each other and internals can suggest operations without importing them.
 *
 * @example export const callCd = callTo<typeof cdInput>('cd');
 */
export function callTo<Shape extends z.ZodObject>(operation: string): CallTo<Shape> {
  return (input) => ({ operation, input });
}
