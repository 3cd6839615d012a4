import { useEffect, useState } from 'preact/hooks';
import { call } from './call.ts';
import { type Answer, ApiError, epoch } from './client.ts';
import type { DataOf, InputOf, OperationName } from './operations.ts';
import { addressOf } from './request.ts';

/** The answer to one of several inputs; has neither answer nor error while it is loading. */
export interface OneOfMany<Name extends OperationName, Input extends InputOf<Name> = InputOf<Name>> {
  readonly input: Input;
  readonly answer?: Answer<DataOf<Name>>;
  readonly error?: ApiError;
}

interface Known<Name extends OperationName, Input extends InputOf<Name>> {
  readonly key: string;
  readonly parts: readonly OneOfMany<Name, Input>[];
}

/**
 * One operation with several inputs at once, such as a search in several folders. Answers are shown as they arrive;
 * when the inputs change, the old ones stay until the first new one.
 */
export function useMany<Name extends OperationName, Input extends InputOf<Name>>(
  name: Name,
  inputs: readonly Input[],
  version = 0,
): {
  readonly parts: readonly OneOfMany<Name, Input>[];
  readonly loading: boolean;
  readonly current: boolean;
} {
  const key = inputs.map((input) => addressOf(name, input)).join('\n');
  const [known, setKnown] = useState<Known<Name, Input>>({ key: '', parts: [] });
  useEffect(() => {
    const stop = new AbortController();
    const put = (at: number, part: OneOfMany<Name, Input>) =>
      setKnown((before) => {
        const parts = before.key === key ? [...before.parts] : inputs.map((input) => ({ input }));
        parts[at] = part;
        return { key, parts };
      });
    for (const [at, input] of inputs.entries()) {
      call(name, input, { signal: stop.signal }).then(
        (answer) => put(at, { input, answer }),
        (error: unknown) => {
          if (stop.signal.aborted) return;
          if (!(error instanceof ApiError)) throw error;
          put(at, { input, error });
        },
      );
    }
    return () => stop.abort();
  }, [key, version, epoch.value]);
  const current = known.key === key;
  const waits = ({ answer, error }: OneOfMany<Name, Input>) => answer === undefined && error === undefined;
  return {
    parts: inputs.length === 0 ? [] : known.parts,
    current,
    loading: inputs.length > 0 && (!current || known.parts.some(waits)),
  };
}
