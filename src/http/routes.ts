import type { Operation } from '../contract/operation.ts';

export interface Route {
  readonly method: string;
  /** With braces as declared: `/api/jobs/{job_id}`. */
  readonly path: string;
  /** Query values that select this operation among those with the same path: `?mode=regex`. */
  readonly when: Readonly<Record<string, string>>;
  readonly operation: Operation<never>;
}

/** The REST routes of all operations. */
export function routesOf(operations: readonly Operation<never>[]): Route[] {
  return operations.flatMap((operation) =>
    [operation.http ?? []].flat().map((declared) => {
      const [method = '', target = ''] = declared.split(' ');
      const [path = '', query = ''] = target.split('?');
      return { method, path, when: Object.fromEntries(new URLSearchParams(query)), operation };
    }),
  );
}

/** Routes by method and path; the first of a group answers if the query selects none. */
export function routeGroups(operations: readonly Operation<never>[]): readonly [Route, ...Route[]][] {
  const groups = new Map<string, [Route, ...Route[]]>();
  for (const route of routesOf(operations)) {
    const key = `${route.method} ${route.path}`;
    const group = groups.get(key);
    if (group) group.push(route);
    else groups.set(key, [route]);
  }
  return [...groups.values()];
}

/** The inputs in a path: the names in braces. */
export function pathInputs(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
