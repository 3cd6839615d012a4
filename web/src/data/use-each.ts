import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from './call.ts';
import { ApiError, epoch } from './client.ts';
import type { DataOf, InputOf, OperationName } from './operations.ts';

interface Wanted<Name extends OperationName> {
  readonly key: string;
  /** Its answer is loaded again when this changes. */
  readonly version: string | number;
  readonly input: InputOf<Name>;
}

/**
 * One answer for each of several things that come, change and go, such as running sessions. Only what changed is loaded
 * again, and the previous answer stays until then.
 */
export function useEach<Name extends OperationName>(
  name: Name,
  wanted: readonly Wanted<Name>[],
): ReadonlyMap<string, DataOf<Name>> {
  const [known, setKnown] = useState<ReadonlyMap<string, DataOf<Name>>>(new Map());
  const asked = useRef(new Map<string, string>());
  const shown = useRef(new Map<string, number>());
  const count = useRef(0);
  const round = epoch.value;
  useEffect(() => {
    for (const { key, version, input } of wanted) {
      const state = `${round} ${version}`;
      if (asked.current.get(key) === state) continue;
      asked.current.set(key, state);
      const turn = ++count.current;
      call(name, input).then(
        ({ data }) => {
          // Answers may overtake each other.
          if ((shown.current.get(key) ?? 0) > turn) return;
          shown.current.set(key, turn);
          setKnown((before) => new Map(before).set(key, data));
        },
        (error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
          // The next change asks again.
          asked.current.delete(key);
        },
      );
    }
  });
  return known;
}
