/** The table of vectors, token by token. */
export interface TokenRows {
  readonly dimensions: number;
  /** The ids of a text, in a buffer that the next call overwrites. */
  encode(text: string): Int32Array;
  row(id: number): Int8Array;
  /** A row times this is the vector. */
  scale(id: number): number;
}

/** A question as the network reads it. */
export interface ReadQuestion {
  readonly ids: readonly number[];
  /** How much each of its tokens counts here. */
  readonly weights: readonly number[];
  /** The tokens of what code says instead, from the thesaurus. */
  readonly alike: readonly number[];
}

/** The tokens of a definition, those of its path first, then head, comment and body. */
export interface DefinitionTokens {
  readonly tokens: Uint16Array;
  /** How many of them belong to each of the four. */
  readonly lengths: Uint8Array;
}

/** A definition with the facts that a search knows about it; `weigh-features.ts` says which. */
export interface ReadDefinition extends DefinitionTokens {
  readonly facts: readonly number[];
  /** What its name adds; the weight of names is set by hand. */
  readonly named: number;
}

/** At most this many tokens of path, head, comment and body; of the body, each once. */
export const PART_TOKENS = [10, 16, 24, 64] as const;
/** Characters of comment and body that are looked at. */
const [COMMENT_CHARACTERS, BODY_CHARACTERS] = [1_500, 6_000];
const MAX_ALIKE = 40;
const MAX_QUESTION = 24;

/** What a definition says, in four texts. */
export interface DefinitionTexts {
  /** Its file and what contains it. */
  readonly path: string;
  readonly container: string;
  readonly head: string;
  readonly comment: string;
  readonly body: string;
}

/** Chooses the tokens of a definition that are read. */
export function definitionTokens(
  { path, container, head, comment, body }: DefinitionTexts,
  encode: TokenRows['encode'],
): DefinitionTokens {
  const folders = path
    .replace(/\.[A-Za-z0-9]+$/, '')
    .split('/')
    .slice(-3)
    .join(' ');
  const [most] = PART_TOKENS;
  const parts = [
    [...encode(`${folders} ${container}`)].slice(-most),
    [...encode(head)],
    [...encode(comment.slice(0, COMMENT_CHARACTERS))],
    [...new Set(encode(body.slice(0, BODY_CHARACTERS)))],
  ].map((ids, part) => ids.slice(0, PART_TOKENS[part]));
  return {
    tokens: Uint16Array.from(parts.flat()),
    lengths: Uint8Array.from(parts, (ids) => ids.length),
  };
}

/** The tokens of a question and how much each counts; `words` are those of the question in their order. */
export function questionTokens(
  words: readonly string[],
  weigh: (word: string) => number,
  alike: string,
  encode: TokenRows['encode'],
): ReadQuestion {
  const ids: number[] = [];
  const weights: number[] = [];
  for (const word of words) {
    for (const id of encode(word)) {
      ids.push(id);
      weights.push(weigh(word));
    }
  }
  return {
    ids: ids.slice(0, MAX_QUESTION),
    weights: weights.slice(0, MAX_QUESTION),
    alike: [...encode(alike)].slice(0, MAX_ALIKE),
  };
}

/** Where each of the four parts begins and ends. */
export function partsOf({ lengths }: DefinitionTokens): [from: number, to: number][] {
  let next = 0;
  return [...lengths].map((length) => {
    const from = next;
    next += length;
    return [from, next];
  });
}
