/** A simple command of a command line. */
export interface Piece {
  readonly words: readonly string[];
  /** What follows it. */
  readonly joint: string;
}

const COMMENT = /^\s*#.*$/gm;
const HEREDOC = /<<-?\s*(['"]?)(\w+)\1[^\n]*\n[\s\S]*?(?:\n\s*\2\b|$)/g;
const SHELL_SCRIPT = /\b(?:ba|z|)sh\s+-l?c\s+(['"])([\s\S]*?)\1/;
const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"|\\./g;
const REDIRECTION = /[\d&]?>>?&?\s*[^\s;|&]+|<\s*[^\s;|&]+/g;
const JOINTS = /(\|\||&&|\|&?|;|\n|&(?!>))/;

/** The simple commands of a command line. Quoted text is one meaningless word. */
export function piecesOf(command: string): readonly Piece[] {
  const script = SHELL_SCRIPT.exec(command)?.[2];
  const plain = (script === undefined ? command : command.replace(SHELL_SCRIPT, script))
    .replace(HEREDOC, ' ')
    .replace(COMMENT, '')
    .replace(/\\\n/g, ' ')
    .replace(QUOTED, '_')
    .replace(REDIRECTION, ' ');
  const split = plain.trim().split(JOINTS);
  const pieces: Piece[] = [];
  for (let at = 0; at < split.length; at += 2) {
    const words = (split[at] ?? '')
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '');
    const joint = split[at + 1] ?? '';
    if (words.length > 0) pieces.push({ words, joint: joint === '\n' ? ';' : joint === '|&' ? '|' : joint });
  }
  return pieces;
}

/** Words that only start another program. */
const STARTERS =
  /^(?:sudo|time|nice|nohup|env|command|npx|bunx|pnpx|uvx|pipx|xvfb-run|stdbuf|exec|then|do|else|if|!|\(|\{)$/;
const STARTER_PAIRS =
  /^(?:pnpm (?:exec|dlx)|yarn dlx|npm exec|uv run|poetry run|pdm run|pipenv run|hatch run|bundle exec|mise exec|mise x|direnv exec|python3? -m|py -m|rtk proxy)$/;

/** The words of a command, starting with the program that does the work. */
export function withoutStarters(given: readonly string[]): readonly string[] {
  let words = given;
  for (;;) {
    const [first, second] = words;
    if (first === undefined) return words;
    if (/^\w+=/.test(first) || STARTERS.test(first)) words = words.slice(1);
    else if (first === 'timeout') words = words.slice(words[1]?.startsWith('-') === true ? 3 : 2);
    else if (STARTER_PAIRS.test(`${first} ${second}`)) words = words.slice(2);
    else if (first.startsWith('-')) words = words.slice(1);
    else return words;
  }
}

/** The name of a program without its folder and Windows extension. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).replace(/\.(?:cmd|exe|bat)$/, '');
}
