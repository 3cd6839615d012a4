import { restBelow } from '../../contract/inside.ts';

/** Does not match the end of a glob such as `*_test.go`. */
const PATH = /(?<![\w*@./-])(?:\/?[\w@.-]+\/)*[\w@.-]*\w\.[A-Za-z]\w{0,7}\b/g;
/** What diffs and `git diff --stat` put before a path. */
const FRONT = /^(?:[ab]|\.{1,3})\//;
/** Escaped white space in JSON. */
const ESCAPED = /\\[nrt]/g;
/** How much of each text is searched for paths. */
const MAX_TEXT_LENGTH = 20_000;
/** A mention this many events back has half the weight. */
const HALF_LIFE_EVENTS = 50;
/** The weight of a session that shares no file with the given one. */
const ANY_SESSION = 0.05;
/** The larger it is, the less the first entries of a list are favoured. */
const RANK_OFFSET = 10;

/** The paths mentioned in texts, relative to a folder if inside it; the most recent and frequent first. */
export function mentionsIn(
  texts: ReadonlyMap<number, string>,
  last: number,
  folder: string | undefined,
  touched: readonly string[],
): readonly string[] {
  // The same file may be written relative to another folder, and not everything with a dot is a file.
  const known = new Set(touched.flatMap(endings));
  const kinds = new Set(touched.map((path) => path.slice(path.lastIndexOf('.'))));
  const endsOfNames = [...kinds];
  const weights = new Map<string, number>();
  for (const [event, words] of texts) {
    const near = 1 / (1 + (last - event) / HALF_LIFE_EVENTS);
    const beginning = words.slice(0, MAX_TEXT_LENGTH);
    // Most program output names no file; this finds out faster than the pattern.
    if (!endsOfNames.some((end) => beginning.includes(end))) continue;
    for (const [written] of beginning.replace(ESCAPED, ' ').matchAll(PATH)) {
      const path = below(written, folder);
      if (path.startsWith('/') || known.has(path) || !kinds.has(path.slice(path.lastIndexOf('.')))) continue;
      weights.set(path, (weights.get(path) ?? 0) + near);
    }
  }
  return byWeight(joined(weights));
}

/** A file mentioned with fewer folders counts for the one with more. */
function joined(weights: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const whole = new Map<string, string>();
  const sums = new Map<string, number>();
  for (const [path, weight] of [...weights].sort(([a], [b]) => b.length - a.length)) {
    const name = whole.get(path) ?? path;
    for (const ending of endings(name)) whole.set(ending, name);
    sums.set(name, (sums.get(name) ?? 0) + weight);
  }
  return sums;
}

/**
 * Files that other sessions changed and one session did not. Those that changed together with its files come first: the
 * more rare files a session shares with it, the more it counts.
 */
export function changedTogether(
  own: ReadonlySet<string>,
  changed: readonly { readonly session: number; readonly path: string }[],
): readonly string[] {
  const sessions = new Map<number, string[]>();
  const popularity = new Map<string, number>();
  for (const { session, path } of changed) {
    sessions.set(session, [...(sessions.get(session) ?? []), path]);
    popularity.set(path, (popularity.get(path) ?? 0) + 1);
  }
  const weights = new Map<string, number>();
  for (const paths of sessions.values()) {
    const shared = paths
      .filter((path) => own.has(path))
      .reduce((sum, path) => sum + 1 / (popularity.get(path) ?? 1), 0);
    const share = (shared + ANY_SESSION) / Math.sqrt(paths.length);
    for (const path of paths) if (!own.has(path)) weights.set(path, (weights.get(path) ?? 0) + share);
  }
  return byWeight(weights);
}

/** Merges two lists of paths; those in both come first. */
export function merged(lists: readonly (readonly string[])[]): readonly string[] {
  const weights = new Map<string, number>();
  for (const list of lists)
    for (const [at, path] of list.entries())
      weights.set(path, (weights.get(path) ?? 0) + 1 / (RANK_OFFSET + at));
  return byWeight(joined(weights));
}

function byWeight(weights: ReadonlyMap<string, number>): readonly string[] {
  return [...weights].sort(([, a], [, b]) => b - a).map(([path]) => path);
}

function below(path: string, folder: string | undefined): string {
  return (folder && restBelow(path, folder)) ?? path.replace(FRONT, '');
}

/** `c.ts`, `b/c.ts`, `a/b/c.ts`. */
function endings(path: string): readonly string[] {
  const parts = path.split('/').filter(Boolean);
  return parts.map((_, at) => parts.slice(at).join('/'));
}
