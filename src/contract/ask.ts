import type { z } from 'zod';
import type { Caller } from './caller.ts';
import type { Engine } from './engine.ts';
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
  { name, data }: Asked<Data>,
  input: RawInput,
  caller: Caller,
): Promise<Data> {
  const answer = await engine.run(name, input, { caller });
  if (answer.ok) return data.parse(answer.envelope.data);
  const { code, message, ...options } = answer.error;
  throw new PinholeError(code, message, options);
}
