import type { z } from 'zod';
import type { Caller } from './caller.ts';
import type { Engine } from './engine.ts';
import type { Envelope } from './envelope.ts';
import { PinholeError } from './errors.ts';
import type { RawInput } from './input.ts';

/** The part of an operation that tells what its data is. */
interface Asked<Data> {
  readonly name: string;
  readonly data: z.ZodType<Data>;
}

/** The data of one call, checked against what the operation declares; throws the error it answered with. */
export async function ask<Data>(
  engine: Engine,
  operation: Asked<Data>,
  input: RawInput,
  caller: Caller,
): Promise<Data> {
  return (await askWhole(engine, operation, input, caller)).data;
}

/** The same with the facts about the answer. */
export async function askWhole<Data>(
  engine: Engine,
  { name, data }: Asked<Data>,
  input: RawInput,
  caller: Caller,
): Promise<{ readonly data: Data; readonly meta: Envelope['meta'] }> {
  const answer = await engine.run(name, input, { caller });
  if (answer.ok) return { data: data.parse(answer.envelope.data), meta: answer.envelope.meta };
  const { code, message, ...options } = answer.error;
  throw new PinholeError(code, message, options);
}
