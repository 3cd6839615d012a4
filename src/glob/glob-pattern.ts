import { escapePattern } from '../regex/escape-pattern.ts';
import { alternatives, type GlobReading, type Token } from './parse-glob.ts';

/**
 * A glob as a regular expression for the whole text.
 *
 * @example globPattern('*.{ts,md}') // '^(?:[^/]*\\.ts|[^/]*\\.md)$'
 */
export function globPattern(glob: string, reading?: GlobReading): string {
  return `^(?:${choicePattern(alternatives(glob, reading))})$`;
}

/** The same as a part of a larger expression, without the anchors. */
export function choicePattern(choices: readonly (readonly Token[])[]): string {
  return choices.map((tokens) => tokens.map(tokenPattern).join('')).join('|');
}

function tokenPattern(token: Token): string {
  switch (token.type) {
    case 'char':
      return escapePattern(token.char);
    case 'any':
      return '[^/]';
    case 'star':
      return { name: '[^/]*', rest: '(?s:.)*', folders: '(?:(?s:.)*/)?' }[token.reach];
    case 'class':
      return classPattern(token);
  }
}

/** No class contains a slash. */
function classPattern({ negated, ranges }: Extract<Token, { type: 'class' }>): string {
  const members = ranges.map(([from, to]) => `${escapePattern(from)}-${escapePattern(to)}`).join('');
  return negated ? `[^/${members}]` : `[${members}&&[^/]]`;
}
