import type { JsonObject } from '../../model/log-json.ts';
import { type ChatRecord, type ChatSession, type ChatUsage, chatRecord } from '../chat-records.ts';
import { type ProposedEdit, proposedEdits } from './aider-edits.ts';
import type { TypedPrompt } from './aider-files.ts';

export interface Chat {
  readonly session: ChatSession;
  /** Another chat follows, so nothing more is added to this one. */
  readonly ended: boolean;
  readonly typed: readonly TypedPrompt[];
}

/** Records that only Aider has. */
type Own =
  | { readonly type: 'note' | 'interrupt'; readonly text: string }
  | {
      readonly type: 'tokens';
      readonly id: string;
      readonly response: string;
      readonly text: string;
      readonly usage: ChatUsage;
    };

/** Text that was written in one go: a prompt, an answer, or lines of the program. */
interface Block {
  readonly kind: 'prompt' | 'answer' | 'program';
  readonly lines: string[];
}

/**
 * The records of a chat. Aider adds whole blocks; while a chat continues, its last block is held back unless it is a
 * prompt or a line that is complete in itself, since more may be added to it.
 */
export function chatRecords(source: Buffer, { session, ended, typed }: Chat): readonly JsonObject[] {
  const records: (ChatRecord | Own)[] = [session];
  const blocks = blocksOf(source.toString('utf8'));
  let answers = 0;
  let answer = '';
  let edits: readonly ProposedEdit[] = [];
  let calls = 0;
  let next = 0;
  const response = () => `${session.id}:${answers}`;
  const call = (name: string, args: JsonObject, output: string, failed: boolean | undefined) => {
    const id = `${session.id}:call:${++calls}`;
    records.push(
      { type: 'assistant', id: response(), blocks: [{ type: 'call', id, name, args }] },
      { type: 'results', results: [{ id, output, failed }] },
    );
  };

  for (const [at, { kind, lines }] of blocks.entries()) {
    const open = !ended && at === blocks.length - 1;
    const said = lines.join('\n');
    if (kind === 'answer') {
      if (open) break;
      answer = said.trim();
      edits = proposedEdits(answer);
      answers++;
      records.push({ type: 'assistant', id: response(), blocks: [{ type: 'text', text: answer }] });
    } else if (kind === 'prompt') {
      // The architect's answer is the prompt of the editor.
      if (said.trim() === answer && answer !== '') records.push({ type: 'note', text: said });
      else {
        const found = typed.findIndex(({ text }, index) => index >= next && text.trim() === said.trim());
        if (found >= 0) next = found + 1;
        records.push({ type: 'user', text: said, at: typed[found]?.ms, command: COMMAND.test(said) });
      }
    } else programLines(lines, open);
  }
  return records.map((record) => chatRecord(record));

  function programLines(lines: readonly string[], open: boolean): void {
    let notes: string[] = [];
    const note = () => {
      if (notes.some((line) => line.trim() !== '')) records.push({ type: 'note', text: notes.join('\n') });
      notes = [];
    };
    for (const [at, line] of lines.entries()) {
      const meaning = LINES.find(({ pattern }) => pattern.test(line));
      if (meaning === undefined) {
        notes.push(line);
        continue;
      }
      const found = meaning.pattern.exec(line) ?? [];
      if (meaning.is === 'refused') {
        // The rest of the block says what was wrong.
        if (open) return;
        note();
        const wrong = lines.slice(at).join('\n');
        const path = /lines in (\S+)$/m.exec(wrong)?.[1] ?? edits[0]?.path;
        const edit = edits.find((one) => one.path === path);
        call('edit', edit?.args ?? (path === undefined ? {} : { file_path: path }), wrong, true);
        return;
      }
      note();
      if (meaning.is === 'version') records.push({ type: 'session', id: session.id, version: found[1] });
      else if (meaning.is === 'model') records.push({ type: 'session', id: session.id, model: found[1] });
      else if (meaning.is === 'interrupt') records.push({ type: 'interrupt', text: line });
      else if (meaning.is === 'ran') call('run', { command: found[1] }, '', undefined);
      else if (meaning.is === 'applied') {
        const edit = edits.find(({ path }) => path === found[1]);
        call(edit?.name ?? 'edit', edit?.args ?? { file_path: found[1] }, line, false);
      } else
        records.push({
          type: 'tokens',
          id: `${session.id}:tokens:${records.length}`,
          response: response(),
          text: line,
          usage: tokensOf(line),
        });
    }
    if (!open) note();
  }
}

/** A command for Aider itself, or empty input: Aider writes `/ask X` and then `X`, which is the prompt. */
const COMMAND = /^[/!]|^<blank>$/;

/** Lines of the program that say what happened. */
const LINES = [
  { is: 'version', pattern: /^Aider v(\d\S*)$/ },
  { is: 'model', pattern: /^(?:Main model|Models?): (\S+) with / },
  { is: 'tokens', pattern: /^Tokens: .* sent,.* received\.|^\d+ prompt tokens, \d+ completion tokens/ },
  { is: 'applied', pattern: /^Applied edit to (.+)$/ },
  { is: 'refused', pattern: /^The LLM did not conform to the edit format/ },
  { is: 'ran', pattern: /^Running (?!pip install|the )(.+)$/ },
  { is: 'interrupt', pattern: /^\^C KeyboardInterrupt/ },
] as const;

/** `2.5k sent, 1.1k cache write, 300 cache hit, 145 received`; what was sent includes cache hits. */
function tokensOf(line: string): ChatUsage {
  const tokens = (pattern: RegExp) => {
    const [, digits = '0', unit] = pattern.exec(line) ?? [];
    return Math.round(Number(digits) * (unit === 'k' ? 1_000 : unit === 'M' ? 1_000_000 : 1));
  };
  const sent = tokens(/([\d.]+)([kM]?) (?:sent|prompt tokens)/);
  const cached = tokens(/([\d.]+)([kM]?) cache hit/);
  const cacheWrite = tokens(/([\d.]+)([kM]?) cache write/);
  return {
    input: Math.max(0, sent - cached - cacheWrite),
    cached,
    cacheWrite,
    output: tokens(/([\d.]+)([kM]?) (?:received|completion tokens)/),
  };
}

/**
 * Lines that Aider itself writes, and those of prompts, end with two spaces; a quotation or a heading in an answer does
 * not. A text of several lines has its `>` only at the beginning, and the spaces only at the end.
 */
function blocksOf(source: string): readonly Block[] {
  const lines = source.split(/\r?\n/);
  // Drops the header, and the last line, which is not complete.
  lines.shift();
  lines.pop();
  const blocks: Block[] = [];
  let afterBlank = true;
  let unfinished = false;
  const add = (kind: Block['kind'], line: string, isNew: boolean) => {
    const last = blocks.at(-1);
    if (last?.kind === kind && !isNew) last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
  };
  for (const line of lines) {
    const marked = line.endsWith('  ');
    const last = blocks.at(-1)?.kind;
    if (unfinished) {
      add('program', line.trimEnd(), false);
      unfinished = !marked;
    } else if (/^####(?: |$)/.test(line) && marked) add('prompt', line.slice(5).trimEnd(), afterBlank);
    else if (line.startsWith('> ') && (marked || TOKENS.test(line) || (last === 'program' && !afterBlank))) {
      add('program', line.slice(2).trimEnd(), false);
      unfinished = !marked;
    } else if (line === '') {
      if (last === 'answer') add('answer', line, false);
    } else add('answer', line, false);
    afterBlank = line === '';
  }
  return blocks;
}

const TOKENS = /^> Tokens: /;
