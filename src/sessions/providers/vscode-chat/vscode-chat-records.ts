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
import type { ChatBlock, ChatRecord } from '../chat-records.ts';
import { contentText } from '../record-parts.ts';

/** The records of a chat: a document, or since 2026 lines of changes that build one. */
export function vscodeChatRecords(document: unknown): readonly ChatRecord[] {
  const chat = object(typeof document === 'string' ? replayed(document) : document);
  return [
    {
      type: 'session',
      id: filled(chat.sessionId) ?? '',
      title: filled(chat.customTitle),
      at: chat.creationDate,
    },
    ...list(chat.requests).flatMap((request) => requestRecords(object(request))),
  ];
}

/**
 * Lines `{kind: 0, v}` (the whole), `{kind: 1, k, v}` (sets a value at a path), `{kind: 2, k, v, i}` (adds to a list, cut
 * to `i` items), `{kind: 3, k}` (deletes a value).
 */
function replayed(source: string): unknown {
  let state: unknown;
  for (const line of source.split('\n')) {
    const change = object(parseJson(line));
    const path = list(change.k).map(String);
    if (change.kind === 0) state = change.v;
    else if (change.kind === 1 || change.kind === 2 || change.kind === 3)
      state = changed(state, path, (old) => {
        if (change.kind !== 2) return change.kind === 1 ? change.v : undefined;
        const before = list(old);
        const kept = typeof change.i === 'number' ? before.slice(0, change.i) : before;
        return [...kept, ...list(change.v)];
      });
  }
  return state;
}

function changed(value: unknown, path: readonly string[], change: (old: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? changed(item, rest, change) : item));
  const before = object(value);
  return { ...before, [name]: changed(before[name], rest, change) };
}

function requestRecords(request: JsonObject): readonly ChatRecord[] {
  const at = request.timestamp;
  const result = object(request.result);
  const metadata = object(result.metadata);
  const model = filled(metadata.resolvedModel) ?? filled(request.modelId);
  const id = filled(request.requestId) ?? '';
  const prompt: ChatRecord = { type: 'user', text: text(object(request.message).text) ?? '', at };
  const rounds = list(metadata.toolCallRounds).map(object);
  const used =
    metadata.promptTokens === undefined
      ? undefined
      : { input: count(metadata.promptTokens), output: count(metadata.outputTokens) };
  const answers =
    rounds.length > 0
      ? rounds.flatMap((round, index) => roundRecords(round, `${id}:${index}`, model, request, metadata))
      : [shownAnswer(request, id, model)];
  // There is one count for all responses to a prompt.
  const last = answers.findLastIndex(({ type }) => type === 'assistant');
  return [
    prompt,
    ...answers.map((record, index) =>
      record.type === 'assistant' && index === last && used !== undefined
        ? { ...record, usage: used }
        : record,
    ),
  ];
}

/** A response of the model with its calls and their results. */
function roundRecords(
  round: JsonObject,
  id: string,
  model: string | undefined,
  request: JsonObject,
  metadata: JsonObject,
): readonly ChatRecord[] {
  const thinking = filled(object(round.thinking).text);
  const said = filled(round.response);
  const calls = list(round.toolCalls).map(object);
  const blocks: ChatBlock[] = [
    ...(thinking === undefined ? [] : [{ type: 'thinking' as const, text: thinking }]),
    ...(said === undefined ? [] : [{ type: 'text' as const, text: said }]),
    ...calls.map(
      (call): ChatBlock => ({
        type: 'call',
        id: filled(call.id),
        name: filled(call.name) ?? 'tool',
        args: parseJson(text(call.arguments) ?? '') ?? call.arguments,
      }),
    ),
  ];
  const results = calls.flatMap((call) => {
    const answer = object(metadata.toolCallResults)[text(call.id) ?? ''];
    if (!isObject(answer)) return [];
    const exitCode = exitCodeOf(request, text(call.id));
    return [
      {
        id: filled(call.id),
        output: list(answer.content)
          .map((part) => text(object(part).value) ?? contentText(part))
          .join('\n'),
        failed: exitCode !== undefined && exitCode !== 0,
        ...(exitCode === undefined ? {} : { exitCode }),
      },
    ];
  });
  const at = round.timestamp ?? request.timestamp;
  return [
    { type: 'assistant', id, model, blocks, at },
    ...(results.length > 0 ? [{ type: 'results' as const, results, at }] : []),
  ];
}

/** The exit code that the terminal showed for a call. */
function exitCodeOf(request: JsonObject, call: string | undefined): number | undefined {
  const shown = list(request.response)
    .map(object)
    .find(({ toolCallId }) => toolCallId === call);
  const code = object(object(shown?.toolSpecificData).terminalCommandState).exitCode;
  return typeof code === 'number' ? code : undefined;
}

/** Without rounds, only what was shown is known: texts, and the names of tools. */
function shownAnswer(request: JsonObject, id: string, model: string | undefined): ChatRecord {
  const blocks = list(request.response).flatMap((one): ChatBlock[] => {
    const part = object(one);
    if (part.kind === 'thinking') return [{ type: 'thinking', text: contentText(part.value) }];
    if (part.kind === 'toolInvocationSerialized')
      return [
        {
          type: 'call',
          id: filled(part.toolCallId),
          name: filled(part.toolId) ?? 'tool',
          args: part.toolSpecificData,
        },
      ];
    return part.kind === undefined && typeof part.value === 'string'
      ? [{ type: 'text', text: part.value }]
      : [];
  });
  return { type: 'assistant', id, model, blocks, at: request.timestamp };
}
