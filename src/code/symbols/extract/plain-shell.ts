/** `${name}`, `${name[1]}` and `${name:-word}`, which the grammar reads. */
const SIMPLE = /^\$\{[#!]?\w+(?:\[[^\]{}$()]*\])?(?:[:#%/^,@=?+-][^{}$()"'`]*)?\}/;
const NAME = /[A-Za-z_]\w*/;
/** A function in one line without `;` before its bracket, as zsh allows. */
const ONE_LINE =
  /^([ \t]*(?:function[ \t]+[\w:.+-]+[ \t]*(?:\(\))?|[\w:.+-]+[ \t]*\(\))[ \t]*\{[^\n]*[^\s;{}])[ \t](\}[ \t]*)$/gm;
/** Other zsh syntax, and bash syntax that the grammar cannot read, with a replacement of the same length. */
const OTHERS: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  // Functions without a name.
  [/^([ \t]*)\(\)([ \t]*\{)/gm, (_all, before = '', behind = '') => `${before}  ${behind}`],
  [/\}([ \t]+)always([ \t]+\{)/g, (_all, before = '', behind = '') => `};${before.slice(1)}      ${behind}`],
  // `$+commands[git]`, `$=words`
  [/\$[+=~^](?=[A-Za-z_])/g, () => '$_'],
  // The number of arguments, in arithmetic.
  [/\$#(?=[\s)])/g, () => '$_'],
  [/&[|!](?=[ \t]*$)/gm, () => '& '],
  [/([ \t])=\(/g, (_all, before = '') => `${before}<(`],
  // `list[(I)word]`
  [/\[\(\w+\)/g, (all = '') => `[${'_'.repeat(all.length - 1)}`],
  // `*(N)`, `**/*(.)`
  [/(?<=[\w*/}\]])\([#\w.^/@,:=-]{1,12}\)(?=[\s)"';]|$)/gm, (all = '') => '_'.repeat(all.length)],
];

/** Makes zsh look like bash, as far as the grammar needs it: each replacement is as long as the original. */
export function plainShell(text: string): string {
  let plain = plainExpansions(text);
  for (const [pattern, write] of OTHERS) plain = plain.replace(pattern, write);
  return plain.replace(ONE_LINE, (_all, before: string, end: string) => `${before};${end}`);
}

/** An expansion that is more than a name with a word becomes that name, in its place, between spaces. */
function plainExpansions(text: string): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf('${'); at !== -1; at = text.indexOf('${', Math.max(at + 2, done))) {
    if (at < done || SIMPLE.test(text.slice(at, at + 200))) continue;
    const end = closingBrace(text, at + 1);
    if (end === -1) continue;
    const inner = text.slice(at, end + 1);
    const bare = inner.replace(/\([^()]*\)/g, (flags) => ' '.repeat(flags.length));
    const name = NAME.exec(bare);
    const blank = inner.replace(/[^\n]/g, ' ');
    out += text.slice(done, at);
    out +=
      name === null
        ? blank
        : `${blank.slice(0, name.index - 1)}$${name[0]}${blank.slice(name.index + name[0].length)}`;
    done = end + 1;
  }
  return out + text.slice(done);
}

/** Where `{` closes, in the same few lines. */
function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < Math.min(text.length, open + 500); at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at;
  }
  return -1;
}
