import type { Facts, ParsedRecord, Part } from '../../model/event.ts';
import { count, filled, isObject, type JsonObject, list, object, text, time } from '../../model/log-json.ts';
import { contentText, opaque, quiet } from '../record-parts.ts';
import { geminiToolParts, responsePart } from './gemini-tools.ts';

/** Context that the agent sends in the user's name. */
const INJECTED = /^\s*<(session_context|hook_context|loaded_context|state_snapshot|project_context)\b/;

/**
 * Reads Gemini CLI chats. A `.jsonl` line is a header, a message, `$set` or `$rewindTo`; a message is written again
 * whenever it changes, so every part has an identity and only what is new becomes an event.
 */
export function readGeminiRecord(record: JsonObject): ParsedRecord {
  if (record.$rewindTo !== undefined) {
    const toMessage = filled(record.$rewindTo) ?? '';
    const part: Part = { type: 'notification', text: `rewound to message ${toMessage}` };
    return { label: '$rewindTo', known: true, parts: [part], rewind: { toMessage } };
  }
  if (isObject(record.$set)) return change(record.$set, record);
  if (record.sessionId !== undefined || record.projectHash !== undefined) return header(record);
  if (filled(record.role) !== undefined) return historyRecord(record);
  if (filled(record.type) !== undefined) return messageRecord(record);
  // A document in the older format that is truncated before its first message or lacks the usual fields.
  if (record.startTime !== undefined || record.start_time !== undefined) return header(record);
  return opaque('(no type)', record, time(record.timestamp));
}

function header(record: JsonObject): ParsedRecord {
  const { messages: _, history: __, ...rest } = record;
  const facts: Facts = {
    id: filled(record.sessionId),
    projectHash: filled(record.projectHash),
    cwd: filled(list(record.directories)[0]),
    title: filled(record.summary),
    ...(record.kind === 'subagent' ? { relation: 'subagent' as const } : {}),
  };
  return { ...quiet('header', rest, time(record.startTime) ?? time(record.start_time)), facts };
}

/** `$set`: new session fields, or the list of messages after a resume. */
function change(fields: JsonObject, record: JsonObject): ParsedRecord {
  const messages = list(fields.messages).filter(isObject);
  const facts: Facts = {
    cwd: filled(list(fields.directories)[0]),
    title: filled(fields.summary),
  };
  if (messages.length === 0) return { ...quiet('$set', record), facts };
  // After a resume, a message is identified by its id alone, because it may have lost fields.
  const parts = messages.flatMap((message) =>
    messageParts(message).map((part) => ({ ...part, identity: restoredIdentity(message, part) })),
  );
  return { label: '$set/messages', known: true, ms: time(fields.lastUpdated), parts, facts };
}

function restoredIdentity(message: JsonObject, part: Part): string {
  return part.callId === undefined ? `${text(message.id)}|${text(message.type)}` : (part.identity ?? '');
}

function messageRecord(record: JsonObject): ParsedRecord {
  const type = text(record.type) ?? '';
  const id = filled(record.id);
  const known = ['user', 'gemini', 'info', 'error', 'warning'].includes(type);
  if (type === 'model') return messageRecord({ ...record, type: 'gemini' });
  if (!known) return opaque(`message/${type}`, record, time(record.timestamp));
  const tokens = isObject(record.tokens) ? record.tokens : undefined;
  const model = filled(record.model);
  return {
    label: `message/${type}`,
    known,
    ms: time(record.timestamp),
    parts: messageParts(record),
    response: type === 'gemini' ? id : undefined,
    facts: model === undefined ? {} : { model },
    ...(id === undefined ? {} : { link: { id, parent: undefined } }),
    ...(tokens === undefined || count(tokens.total) === 0
      ? {}
      : {
          usage: {
            id: id === undefined ? undefined : `gemini:${id}`,
            model,
            usage: {
              input: Math.max(0, count(tokens.input) - count(tokens.cached)),
              cached: count(tokens.cached),
              cacheWrite: 0,
              cacheWriteHour: 0,
              output: count(tokens.output) + count(tokens.thoughts),
              reasoning: count(tokens.thoughts),
              tool: count(tokens.tool),
            },
          },
        }),
  };
}

function messageParts(message: JsonObject): readonly Part[] {
  const id = `${text(message.id)}|${text(message.type)}`;
  if (message.type === 'user') return userParts(message, id);
  const said = contentText(textBlocks(message.content));
  if (message.type !== 'gemini') return [{ type: 'notification', text: said, identity: id }];
  const thoughts = list(message.thoughts).map((thought, index): Part => {
    const { subject, description } = object(thought);
    const whole = [filled(subject), filled(description)].filter((piece) => piece !== undefined).join('\n');
    return { type: 'reasoning', text: whole, identity: `${id}|thought|${index}` };
  });
  const parts = [
    ...thoughts,
    ...(said === '' ? [] : [{ type: 'message' as const, text: said, identity: `${id}|${said}` }]),
    ...list(message.toolCalls).flatMap((call) => geminiToolParts(object(call))),
  ];
  return parts.length > 0 ? parts : [{ type: 'notification', text: '', silent: true, identity: id }];
}

/** The text blocks of a message; calls and results are separate parts. */
function textBlocks(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.filter((block) => !isObject(block) || (!block.functionCall && !block.functionResponse));
}

function userParts(message: JsonObject, id: string): readonly Part[] {
  const blocks = Array.isArray(message.content) ? message.content : [message.content];
  const responses = blocks.filter((block) => isObject(object(block).functionResponse));
  if (responses.length > 0)
    return responses.map((block) => responsePart(object(object(block).functionResponse)));
  const injected = blocks.filter((block) => INJECTED.test(contentText([block])));
  const typed = contentText(blocks.filter((block) => !injected.includes(block)));
  const context = contentText(injected);
  const parts: Part[] = [];
  if (context !== '')
    parts.push({ type: 'notification', text: context, silent: true, identity: `${id}|context` });
  if (typed !== '' || parts.length === 0) {
    // Commands such as /help are stored, but start a turn only if the model answers.
    const command = /^[/?]/.test(typed);
    parts.push({ type: 'user', text: typed, prompt: !command, command, identity: `${id}|${typed}` });
  }
  return parts;
}

/** Early format: `{role, parts, ts}`. */
function historyRecord(record: JsonObject): ParsedRecord {
  const said = contentText(record.parts ?? record.content);
  const user = record.role === 'user';
  const part: Part = user ? { type: 'user', text: said, prompt: true } : { type: 'message', text: said };
  return { label: `role/${text(record.role)}`, known: true, ms: time(record.ts), parts: [part] };
}
