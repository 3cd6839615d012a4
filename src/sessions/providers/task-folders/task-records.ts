import { basename, dirname, join } from 'node:path';
import {
  count,
  filled,
  isObject,
  type JsonObject,
  list,
  object,
  parseJson,
  text,
} from '../../model/log-json.ts';
import { readSmall } from '../agent-files.ts';
import type { ChatBlock, ChatRecord, ChatResults, ChatUsage } from '../chat-records.ts';
import { contentText } from '../record-parts.ts';
import { writtenCalls } from './written-calls.ts';

/** The API messages, combined with what the extension showed, which has the tokens of each request. */
export function taskRecords(document: unknown, file: string): readonly ChatRecord[] {
  const task = basename(dirname(file));
  const shown = list(parseJson(readSmall(join(dirname(file), 'ui_messages.json')) ?? '')).map(object);
  const item = object(parseJson(readSmall(join(dirname(file), 'history_item.json')) ?? ''));
  const requests = shown.filter(({ say }) => say === 'api_req_started').map(requestUsage);
  const messages = list(document).map(object);
  const details = messages.map((message) => contentText(message.content)).find((said) => CWD.test(said));
  let answers = 0;
  let calls: readonly Call[] = [];
  let model: string | undefined;
  return [
    {
      type: 'session',
      id: task,
      cwd: filled(item.workspace) ?? filled(item.cwdOnTaskInitialization) ?? CWD.exec(details ?? '')?.[1],
      at: count(Number(task)) || undefined,
    },
    ...messages.flatMap((message, index): readonly ChatRecord[] => {
      if (message.role !== 'assistant') {
        model = MODEL.exec(contentText(message.content))?.[1] ?? model;
        return userRecords(message, calls);
      }
      const usage = requests[answers++];
      const blocks = blocksOf(message.content, `${task}:${index}`);
      calls = blocks.filter((block) => block.type === 'call');
      return [
        {
          type: 'assistant',
          id: `${task}:${index}`,
          at: message.ts,
          model: filled(object(message.modelInfo).modelId) ?? model,
          blocks,
          ...(usage === undefined ? {} : { usage }),
        },
      ];
    }),
  ];
}

type Call = Extract<ChatBlock, { readonly type: 'call' }>;

/** Roo Code and Kilo Code name the model only in what they tell it about its surroundings. */
const MODEL = /<environment_details>[\s\S]*?<model>([^<\n]+)<\/model>/;
const CWD = /# Current (?:Working|Workspace) Directory \(([^)\n]+)\)/;

function requestUsage({ text: said }: JsonObject): ChatUsage | undefined {
  const used = parseJson(text(said) ?? '');
  if (!isObject(used) || used.tokensIn === undefined) return undefined;
  return {
    input: count(used.tokensIn),
    cached: count(used.cacheReads),
    cacheWrite: count(used.cacheWrites),
    output: count(used.tokensOut),
  };
}

function blocksOf(content: unknown, answer: string): readonly ChatBlock[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(object);
  return parts.flatMap((part: JsonObject): ChatBlock[] => {
    if (part.type === 'thinking' || part.type === 'reasoning')
      return [{ type: 'thinking', text: text(part.thinking) ?? text(part.text) ?? '' }];
    if (part.type === 'tool_use')
      return [
        {
          type: 'call',
          id: filled(part.id),
          name: filled(part.name) ?? 'tool',
          args: editArguments(part.input),
        },
      ];
    if (part.type !== 'text') return [];
    return writtenCalls(text(part.text) ?? '', answer).map((block) =>
      block.type === 'call' ? { ...block, args: editArguments(block.args) } : block,
    );
  });
}

const CHANGE =
  /^[-<]{3,} SEARCH>?\n(?::start_line:.*\n(?::end_line:.*\n)?-{3,}\n)?([\s\S]*?)\n?^={3,}\n([\s\S]*?)\n?^[+>]{3,} REPLACE>?/gm;

/** The changes of a diff, as texts before and after. */
function editArguments(input: unknown): unknown {
  const args = object(input);
  const edits = [...(text(args.diff) ?? '').matchAll(CHANGE)].map(([, before = '', after = '']) => ({
    old_string: before,
    new_string: after,
  }));
  if (edits.length === 0) return input;
  return edits.length === 1 ? { ...args, ...edits[0] } : { ...args, edits };
}

/** What was typed is in `<task>`, `<feedback>` or `<user_message>`; the rest of the text is for the model. */
const TYPED = /<(task|feedback|user_message|answer)>\n?([\s\S]*?)\n?<\/\1>/;

/** Most versions write a tool's answer as text, with the name of the tool but no id. */
const ANSWERED = /^\[(\w+)[^\n]*?\] Result:\n?/;
const FAILED = /exit code:? [1-9]|^The tool execution failed|^The user denied/im;

function userRecords(message: JsonObject, calls: readonly Call[]): readonly ChatRecord[] {
  const at = message.ts;
  const parts =
    typeof message.content === 'string'
      ? [{ type: 'text', text: message.content }]
      : list(message.content).map(object);
  const results: ChatResults['results'][number][] = [];
  const typed: string[] = [];
  const answered = (id: string | undefined, output: string, failed: boolean) =>
    results.push({ id, output, failed: failed || FAILED.test(output.slice(0, 600)) });
  for (const [index, part] of parts.entries()) {
    const said = text(part.text) ?? '';
    if (part.type === 'tool_result')
      answered(filled(part.tool_use_id), contentText(part.content), part.is_error === true);
    if (part.type !== 'text') continue;
    const found = ANSWERED.exec(said);
    if (found !== null) {
      const open = calls.filter(({ id }) => results.every((result) => result.id !== id));
      const call = open.find(({ name }) => name === found[1]) ?? open[0];
      // The answer is in the same text, or in the next one.
      const output = said.slice(found[0].length) || (text(parts[index + 1]?.text) ?? '');
      answered(call?.id, output, false);
    }
    const prompt = TYPED.exec(said)?.[2];
    if (prompt !== undefined) typed.push(prompt);
  }
  return [
    ...(results.length > 0 ? [{ type: 'results' as const, results, at }] : []),
    ...(typed.length > 0 ? [{ type: 'user' as const, text: typed.join('\n'), at }] : []),
  ];
}
