import { escapePattern } from '../../regex/matcher.ts';
import { alternatives, type Token, tokens } from '../scan/glob.ts';

/**
 * A glob as a regular expression for the whole text, so that both run the same fast way.
 *
 * @example globPattern('*.{ts,md}') // '^(?:[^/]*\\.ts|[^/]*\\.md)$'
 */
export function globPattern(glob: string): string {
  const choices = alternatives(glob).map((choice) => tokens(choice).map(tokenPattern).join(''));
  return `^(?:${choices.join('|')})$`;
}

function tokenPattern(token: Token): string {
  switch (token.type) {
    case 'char':
      return escapePattern(token.char);
    case 'any':
      return '[^/]';
    case 'star':
      return { name: '[^/]*', across: '(?s:.)*', folders: '(?:(?s:.)*/)?' }[token.reach];
    case 'class':
      return classPattern(token);
  }
}

/** No class holds a slash. */
function classPattern({ negated, ranges }: Extract<Token, { type: 'class' }>): string {
  const members = ranges.map(([from, to]) => `${escapePattern(from)}-${escapePattern(to)}`).join('');
  return negated ? `[^/${members}]` : `[${members}&&[^/]]`;
}
