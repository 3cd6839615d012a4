import { type Check, checkOf } from './checks.ts';
import { programOf } from './command-programs.ts';

/** A simple command of a command line, as written. */
export interface CommandPart {
  readonly text: string;
  /** What follows it: `&&`, `||`, `|`, `;`, `&` or nothing. */
  readonly joint: string;
  /** Part of a loop or a condition: it ran any number of times, or not at all. */
  readonly inside?: boolean;
}

const MAX_PARTS = 30;
const MAX_PART_LENGTH = 300;
/** Quoted texts, escapes, substitutions and here-documents stay whole; the first group is a joint. */
const PIECES =
  /'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|\$\((?:'[^']*'|"[^"]*"|[^()'"])*\)|<<-?\s*(['"]?)(\w+)\1[\s\S]*?(?:\n\s*\2(?!\w)|$)|[\d&]?>&\d?|&>>?|(\|\||&&|\|&?|;;?|\n|&)/g;

/** The simple commands of a command line. */
export function commandParts(command: string): readonly CommandPart[] {
  const parts: CommandPart[] = [];
  let start = 0;
  let depth = 0;
  const end = (to: number, joint: string) => {
    const written = command.slice(start, to).trim();
    if (written === '' || written.startsWith('#')) return;
    const { text, opens, closes } = withoutKeywords(written);
    depth += opens;
    if (text !== '' && parts.length < MAX_PARTS)
      parts.push({ text: text.slice(0, MAX_PART_LENGTH), joint, ...(depth > 0 ? { inside: true } : {}) });
    depth = Math.max(0, depth - closes);
  };
  for (const { 0: piece, 3: joint, index } of command.matchAll(PIECES)) {
    if (joint === undefined) continue;
    end(index, joint === '\n' || joint === ';;' ? ';' : joint === '|&' ? '|' : joint);
    start = index + piece.length;
  }
  end(command.length, '');
  return parts;
}

/** Words of the shell in front of a command; the first group begins a loop or a condition. */
const LEADING = /^(?:(if|while|until)|then|do|else|elif|!|time|\{|\()(?=\s|$)\s*/;
/** Heads of loops, cases and functions, which run nothing themselves. */
const HEAD = /^(?:(?:for|select)\s+\w+(?:\s+in\b.*)?|case\s.*\sin|(?:function\s+)?[\w-]+\s*\(\)\s*\{?)$/s;
/** Words that end them, with redirections behind. */
const CLOSING = /^(?:done|fi|esac|\}|\))(?:\s*(?:[\d&]?>>?|<)\s*\S+)*$/;

/** A command without the words of the shell around it, and how many loops or conditions they begin and end. */
function withoutKeywords(written: string): {
  readonly text: string;
  readonly opens: number;
  readonly closes: number;
} {
  let text = written;
  let opens = 0;
  for (let word = LEADING.exec(text); word !== null; word = LEADING.exec(text)) {
    if (word[1] !== undefined) opens++;
    text = text.slice(word[0].length);
  }
  if (CLOSING.test(text)) return { text: '', opens, closes: /^[})]/.test(text) ? 0 : 1 };
  if (HEAD.test(text))
    return { text: '', opens: opens + (/^(?:for|select|case)\s/.test(text) ? 1 : 0), closes: 0 };
  return { text, opens, closes: 0 };
}

export type PartStatus = 'ok' | 'failed' | 'skipped';

export interface CallOutcome {
  readonly status: string;
  /** Why it failed. */
  readonly error: string | undefined;
  /** The program of the check that it ran, if that failed. */
  readonly failedCheck: string | undefined;
}

/** Commands that print a reason if they fail; without one they succeeded. */
const HARMLESS =
  /^(?:cd|pushd|popd|export|set|unset|source|\.|echo|printf|true|sleep|mkdir|touch|date|pwd|wait|head|tail|cat|sort|uniq|wc|tee)$/;

/** The program of the check that failed in a call. */
export function failedCheckOf(parts: readonly CommandPart[], failed: Check | undefined): string | undefined {
  const part = parts.findLast(({ text }) => failed !== undefined && checkOf(text)?.check === failed);
  return programOf(part?.text ?? parts.map(({ text }) => text).join('; '));
}

/** The outcome of each command of a call; undefined where the log does not say. */
export function partOutcomes(
  parts: readonly CommandPart[],
  { status, error, failedCheck }: CallOutcome,
): readonly (PartStatus | undefined)[] {
  const outcomes: (PartStatus | undefined)[] = parts.map(() => undefined);
  if (status !== 'ok' && status !== 'failed') return outcomes;
  const programs = parts.map(({ text }) => programOf(text) ?? '');
  // The exit code belongs to the last list; in earlier lists, only failed checks are known.
  const last = parts.findLastIndex(({ joint }, at) => at < parts.length - 1 && /^[;&]$/.test(joint)) + 1;
  const list = parts.slice(last);
  const known = failedPart(parts, programs, { status, error, failedCheck }, last);
  if (known !== undefined) outcomes[known] = 'failed';
  if (list.some(({ joint }) => joint === '||')) return outcomes;
  const stop = status === 'ok' ? parts.length : known;
  if (stop === undefined || stop < last) return outcomes;
  for (let at = last; at < parts.length; at++) {
    if (at === stop || outcomes[at] !== undefined || parts[at]?.inside === true) continue;
    // A pipe hides the outcome of all but its last command.
    if (at < stop) outcomes[at] = parts[at]?.joint === '|' ? undefined : 'ok';
    else if (parts.slice(stop, at).some(({ joint }) => joint === '&&')) outcomes[at] = 'skipped';
  }
  return outcomes;
}

/** What the shell itself says about a file it cannot open, or a pattern that matches no file. */
const SHELL_FILE = /^\(eval\):\d+: (?:no such file or directory|no matches found|permission denied): (.+)$/;
const MERGES = /^git\b.* (?:merge|rebase|cherry-pick|pull|revert|stash|am|apply)\b/;

/** Index of the command that failed. */
function failedPart(
  parts: readonly CommandPart[],
  programs: readonly string[],
  { status, error = '', failedCheck }: CallOutcome,
  last: number,
): number | undefined {
  const check = failedCheck === undefined ? -1 : programs.lastIndexOf(failedCheck);
  if (check >= 0) return check;
  if (status !== 'failed') return undefined;
  if (parts.length === 1) return 0;
  // The shell ran none of it.
  if (/^(?:\S+: )*(?:line \d+: |\d+: )?(?:parse error|syntax error)\b/.test(error)) return undefined;
  const only = (wanted: (part: CommandPart) => boolean) => {
    const found = parts.flatMap((part, at) => (wanted(part) ? [at] : []));
    return found.length === 1 ? found[0] : undefined;
  };
  const [, file] = SHELL_FILE.exec(error) ?? [];
  const opens = file === undefined ? undefined : only(({ text }) => text.includes(file));
  if (opens !== undefined) return opens;
  if (/^CONFLICT \(/.test(error)) return only(({ text }) => MERGES.test(text));
  const first = (program: string) => program.split(' ')[0] ?? '';
  const [, named = ''] =
    /^(?:[\w/.-]*sh: (?:line \d+: |\d+: )?|\(eval\):\d+: )?([\w.+-]+): /.exec(error) ?? [];
  const says = programs.findIndex((program) => first(program) === named);
  if (says >= 0) return says;
  const git = programs.flatMap((program, at) => (/^git\b/.test(program) ? [at] : []));
  if (/^(?:fatal|error): /.test(error) && git.length === 1) return git[0];
  const likely = programs.flatMap((program, at) =>
    at >= last && !HARMLESS.test(first(program)) && parts[at]?.joint !== '|' ? [at] : [],
  );
  return likely.length === 1 ? likely[0] : undefined;
}
