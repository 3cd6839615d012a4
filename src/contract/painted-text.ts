import type { Terminal } from './caller.ts';

/** What a piece of an answer can be. */
const ROLES = ['heading', 'aside', 'problem', 'line', 'bar', 'id', 'path', 'size'] as const;

type Role = (typeof ROLES)[number];

/** The codes with which a terminal begins and ends the colour of each. */
const COLOURS: Readonly<Record<Role, readonly [begin: number, end: number]>> = {
  heading: [1, 22],
  aside: [2, 22],
  problem: [31, 39],
  line: [32, 39],
  bar: [32, 39],
  id: [33, 39],
  path: [35, 39],
  size: [36, 39],
};

/** Marks are code points that Unicode keeps free of characters: a begin, the role, and an end. */
const BEGIN = '\ufdd0';
const FIRST_ROLE = 0xfdd1;
const END = '\ufdef';
const MARKS = /[\ufdd0-\ufdef]/g;
const MARKED = /\ufdd0([\ufdd1-\ufdee])([^\ufdd0-\ufdef]*)\ufdef/g;

/** Says what a piece of text is, so that a terminal can colour it. */
export type Paint = (role: Role, text: string) => string;

/** Marks pieces of text for a terminal with colours, and leaves them alone for everybody else. */
export function painter(terminal: Terminal | undefined): Paint {
  return terminal?.colours === true
    ? (role, text) =>
        text === '' ? text : BEGIN + String.fromCharCode(FIRST_ROLE + ROLES.indexOf(role)) + text + END
    : (_, text) => text;
}

/** Whether a value has such marks of its own; its text is then shown without colours. */
export function holdsMarks(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').search(MARKS) >= 0;
}

/** Puts the codes of a terminal in place of the marks. */
export function coloured(text: string): string {
  return text
    .replace(MARKED, (_, role: string, piece: string) => {
      const [begin, end] = COLOURS[ROLES[role.charCodeAt(0) - FIRST_ROLE] ?? 'aside'];
      return `\u001b[${begin}m${piece}\u001b[${end}m`;
    })
    .replace(MARKS, '');
}

/** The number of characters that are seen. */
export function shownLength(text: string): number {
  return text.replace(MARKS, '').length;
}

/** A line of at most `columns` characters; a piece that is cut keeps its colour. */
export function cutLine(line: string, columns: number): string {
  if (shownLength(line) <= columns) return line;
  let kept = '';
  let shown = 0;
  for (const character of line) {
    const isMark = character >= BEGIN && character <= END;
    if (!isMark && shown + character.length >= columns) break;
    kept += character;
    if (!isMark) shown += character.length;
  }
  return `${kept}…${kept.lastIndexOf(BEGIN) > kept.lastIndexOf(END) ? END : ''}`;
}
