/** Escapes, classes, groups and alternations, as far as it matters where they begin and end. */
const PIECES = /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|[(|)]/g;
/** Flags for the whole pattern, such as `(?i)`. */
const FLAGS = /^\(\?[a-zA-Z-]+\)/;
/** Groups that only hold alternatives together. */
const GROUP = /^\((?:\?:|\?P?<\w+>)?/;

/**
 * What a pattern such as `foo|bar` looks for, each as a pattern of its own; also of `\b(foo|bar)\(`, a single group. Only
 * the pattern itself if it has no alternatives that can be told apart this way.
 */
export function alternativesOf(pattern: string): readonly string[] {
  const flags = FLAGS.exec(pattern)?.[0] ?? '';
  const own = pattern.slice(flags.length);
  const outer = split(own);
  if (outer === undefined) return [pattern];
  if (outer.parts.length > 1)
    return outer.parts.every((part) => part !== '') ? outer.parts.map((part) => flags + part) : [pattern];
  const [group] = outer.groups;
  if (group === undefined || outer.groups.length > 1 || /^[*+?{]/.test(own.slice(group.end)))
    return [pattern];
  const opening = GROUP.exec(own.slice(group.start))?.[0] ?? '(';
  // A look-around or a group with flags of its own.
  if (opening === '(' && own[group.start + 1] === '?') return [pattern];
  const inner = split(own.slice(group.start + opening.length, group.end - 1));
  if (inner === undefined || inner.parts.length < 2 || inner.parts.includes('')) return [pattern];
  const [before, after] = [own.slice(0, group.start), own.slice(group.end)];
  return inner.parts.map(
    (part) => `${flags}${before}${inner.groups.length > 0 ? `(?:${part})` : part}${after}`,
  );
}

/** The parts between the outermost bars, and where the outermost groups are; undefined if brackets do not match. */
function split(pattern: string):
  | {
      readonly parts: readonly string[];
      readonly groups: readonly { readonly start: number; readonly end: number }[];
    }
  | undefined {
  const parts: string[] = [];
  const groups: { start: number; end: number }[] = [];
  const open: number[] = [];
  let from = 0;
  for (const { 0: piece, index } of pattern.matchAll(PIECES)) {
    if (piece === '(') open.push(index);
    else if (piece === ')') {
      const start = open.pop();
      if (start === undefined) return undefined;
      if (open.length === 0) groups.push({ start, end: index + 1 });
    } else if (piece === '|' && open.length === 0) {
      parts.push(pattern.slice(from, index));
      from = index + 1;
    }
  }
  return open.length > 0 ? undefined : { parts: [...parts, pattern.slice(from)], groups };
}
