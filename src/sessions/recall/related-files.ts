import { restBelow } from '../../contract/inside.ts';

/** Not the end of a pattern such as `*_test.go`. */
const PATH = /(?<![\w*@./-])(?:\/?[\w@.-]+\/)*[\w@.-]*\w\.[A-Za-z]\w{0,7}\b/g;
/** What diffs and `git diff --stat` put in front of a path. */
const FRONT = /^(?:[ab]|\.{1,3})\//;
/** Ends of lines in JSON. */
const ESCAPED = /\\[nrt]/g;
/** The beginning of each text in which paths are looked for. */
const MAX_TEXT = 20_000;
/** Mentions lose half of their weight in this many events. */
const HALF_LIFE = 50;
/** What a session that shares no file with the one that is asked about counts. */
const ANY_SESSION = 0.05;
/** How much the first places of a list count more than the later ones. */
const RANK_OFFSET = 10;

/** The paths in texts, below a folder from there on; the most recent and frequent first. */
export function mentionsIn(
  texts: ReadonlyMap<number, string>,
  last: number,
  folder: string | undefined,
  touched: readonly string[],
): readonly string[] {
  // The same file may be written from another folder; and not everything with a dot is a file.
  const known = new Set(touched.flatMap(endings));
  const kinds = new Set(touched.map((path) => path.slice(path.lastIndexOf('.'))));
  const endsOfNames = [...kinds];
  const weights = new Map<string, number>();
  for (const [event, words] of texts) {
    const near = 1 / (1 + (last - event) / HALF_LIFE);
    const beginning = words.slice(0, MAX_TEXT);
    // Most of what programs print names no file, which is found out faster without the pattern.
    if (!endsOfNames.some((end) => beginning.includes(end))) continue;
    for (const [written] of beginning.replace(ESCAPED, ' ').matchAll(PATH)) {
      const path = below(written, folder);
      if (path.startsWith('/') || known.has(path) || !kinds.has(path.slice(path.lastIndexOf('.')))) continue;
      weights.set(path, (weights.get(path) ?? 0) + near);
    }
  }
  return byWeight(joined(weights));
}

/** Files that are written with fewer folders count for the one with more. */
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
 * Files that other sessions changed, without those of one session; those first that went with its files: each session
 * counts by the rare files that it shares.
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

/** Two lists of paths as one: what is in both comes first. */
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
