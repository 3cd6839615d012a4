import { type Answer, send } from './client.ts';
import type { DataOf, InputOf, OperationName } from './operations.ts';
import { type AnswerForm, requestOf } from './request.ts';

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly maxBytes?: number | undefined;
}

/**
 * Calls an operation. Throws {@link ApiError}, or the signal's abort reason.
 *
 * @example const { data } = await call('disk_plan_run', { plan_id: 'p1', confirm: 2 });
 */
export function call<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  { signal, maxBytes }: CallOptions = {},
): Promise<Answer<DataOf<Name>>> {
  return sendCall(name, input, { maxBytes }, signal);
}

/** Returns the plan behind an answer instead of the answer. */
export async function explain<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
): Promise<unknown> {
  const { data } = await sendCall<Name, unknown>(name, input, { format: 'explain' }, undefined);
  return data;
}

function sendCall<Name extends OperationName, Data>(
  name: Name,
  input: InputOf<Name>,
  form: AnswerForm,
  signal: AbortSignal | undefined,
): Promise<Answer<Data>> {
  const { method, url, body } = requestOf(name, input, form);
  return send<Data>(method, url, { body, signal });
}
