import type { Operation } from '../contract/operation.ts';

export interface Route {
  readonly method: string;
  /** With braces as declared: `/api/jobs/{job_id}`. */
  readonly path: string;
  readonly operation: Operation<never>;
}

/** The REST routes of all operations. */
export function routesOf(operations: readonly Operation<never>[]): Route[] {
  return operations.flatMap((operation) =>
    [operation.http ?? []].flat().map((declared) => {
      const [method = '', path = ''] = declared.split(' ');
      return { method, path, operation };
    }),
  );
}

/** Names in braces. */
export function pathInputs(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
