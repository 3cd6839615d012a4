import { termsInLine } from '../words/terms-in-line.ts';

export interface SnippetSize {
  readonly lines: number;
  readonly characters: number;
}

/** Lines shown unless the caller asks for more. */
export const SNIPPET_LINES = 12;

/** The run of lines with the most terms; ties go to the run with more occurrences of them, then to the first. */
export function bestRun(
  lines: readonly string[],
  size: SnippetSize,
  asked: ReadonlySet<string>,
): { readonly first: number; readonly count: number } {
  const found = lines.map((line) => termsInLine(line, asked));
  const window = new RunTerms(found);
  let best = { first: 0, count: 0, score: -1 };
  let end = 0;
  let used = 0;
  for (let first = 0; first < lines.length; first++) {
    // As many lines as fit, but at least one.
    while (end < lines.length && end - first < size.lines) {
      const more = used + (lines[end]?.length ?? 0) + 1;
      if (more > size.characters && end > first) break;
      used = more;
      window.add(end++);
    }
    // A run that begins right at a match lacks the lines that lead up to it.
    const lead = first === 0 || found[first]?.size === 0 ? 0.0001 : 0;
    const score = window.terms + window.hits / 1000 + lead;
    const isBest = score > best.score && lines[first] !== '';
    if (isBest) best = { first, count: end - first, score };
    if (end >= lines.length && lines[first] !== '') break;
    window.remove(first);
    used -= (lines[first]?.length ?? 0) + 1;
  }
  while (best.count > 1 && lines[best.first + best.count - 1] === '') best.count--;
  return best;
}

/** The terms of a run of lines while it moves down. */
class RunTerms {
  readonly #found: readonly ReadonlySet<string>[];
  readonly #counts = new Map<string, number>();
  hits = 0;

  constructor(found: readonly ReadonlySet<string>[]) {
    this.#found = found;
  }

  get terms(): number {
    return this.#counts.size;
  }

  add(line: number): void {
    for (const term of this.#found[line] ?? []) {
      this.#counts.set(term, (this.#counts.get(term) ?? 0) + 1);
      this.hits++;
    }
  }

  remove(line: number): void {
    for (const term of this.#found[line] ?? []) {
      const left = (this.#counts.get(term) ?? 0) - 1;
      if (left > 0) this.#counts.set(term, left);
      else this.#counts.delete(term);
      this.hits--;
    }
  }
}
