import { redactThenCut } from '../../contract/redact.ts';
import type { ParsedRecord, Part } from '../model/event.ts';
import { filled, isObject, type JsonObject, list, text } from '../model/log-json.ts';
import { displayArguments, withoutBinary } from '../model/tool-kinds.ts';

/** A record of an unknown type: stored as a whole, but only its beginning is searchable. */
export function opaque(label: string, record: JsonObject, ms?: number): ParsedRecord {
  const whole = JSON.stringify(record);
  const part: Part = {
    type: 'notification',
    text: whole,
    searchText: redactThenCut(displayArguments(record), 2000),
  };
  return { label, known: false, ms, parts: [part] };
}

/** A record of a known type that is not worth finding. */
export function quiet(label: string, record: JsonObject, ms?: number): ParsedRecord {
  return { label, known: true, ms, parts: [silentPart(record)] };
}

/** A part that is the record itself; its text is only built when it is read. */
export function silentPart(record: JsonObject): Part {
  return {
    type: 'notification',
    silent: true,
    get text() {
      return JSON.stringify(record);
    },
  };
}

/** The text of a string or a list of content blocks; pictures are replaced with their type and size. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (isObject(content)) return blockText(content);
  return list(content)
    .map((block) => (isObject(block) ? blockText(block) : String(block)))
    .filter((piece) => piece !== '')
    .join('\n');
}

function blockText(block: JsonObject): string {
  const plain = text(block.text);
  if (plain !== undefined) return plain;
  const source = isObject(block.source) ? block.source : block;
  const data = filled(source.data) ?? filled(block.image_url);
  if (data !== undefined) {
    const kind = filled(source.media_type) ?? filled(block.mimeType) ?? filled(block.type) ?? 'data';
    return `[${kind}, ${data.length} characters]`;
  }
  if (isObject(block.functionResponse)) return displayArguments(block.functionResponse.response);
  if (block.content !== undefined) return contentText(block.content);
  return withoutBinary(displayArguments(block));
}

/** A tool call. Its text is the JSON of its arguments; search sees them without escapes. */
export function callPart(name: string, callId: string | undefined, args: unknown): Part {
  const parsed = isObject(args) ? args : typeof args === 'string' ? { input: args } : {};
  const exact = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  return {
    type: 'tool_call',
    text: exact,
    name,
    callId,
    args: parsed,
    searchText: `${name} ${displayArguments(args ?? {})}`,
  };
}

/** A block of a model's answer, as most agents log it. */
export function answerPart(block: JsonObject, toolCall: (block: JsonObject) => Part): Part {
  switch (block.type) {
    case 'text':
      return { type: 'message', text: text(block.text) ?? '' };
    case 'thinking':
      return { type: 'reasoning', text: filled(block.thinking) ?? '(encrypted)' };
    case 'tool_use':
      return toolCall(block);
    default:
      return { type: 'notification', text: contentText(block) };
  }
}

/** Splits blocks such as `<ide_opened_file>…</ide_opened_file>` off both ends of a prompt; the rest was typed. */
export function splitBlocks(said: string, tags: RegExp): { readonly typed: string; readonly blocks: string } {
  let typed = said.trim();
  const blocks: string[] = [];
  for (;;) {
    const first = /^<([\w-]+)\b[^>]*>/.exec(typed)?.[1];
    const end = first !== undefined && tags.test(first) ? typed.indexOf(`</${first}>`) : -1;
    const last = /<\/([\w-]+)>$/.exec(typed)?.[1];
    const start = last !== undefined && tags.test(last) ? typed.lastIndexOf(`<${last}`) : -1;
    const [from, to] = end >= 0 ? [0, end + `</${first}>`.length] : [start, typed.length];
    if (from < 0) return { typed: blocks.length === 0 ? said : typed, blocks: blocks.join('\n') };
    blocks.push(typed.slice(from, to));
    typed = `${typed.slice(0, from)}${typed.slice(to)}`.trim();
  }
}
