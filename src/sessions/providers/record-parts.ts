import { redactThenCut } from '../../contract/redact.ts';
import type { ParsedRecord, Part } from '../model/event.ts';
import { filled, isObject, type JsonObject, list, text } from '../model/log-json.ts';
import { displayArguments, withoutBinary } from '../model/tool-kinds.ts';

/** What is kept of a record that no table knows: the whole of it, found by its first words. */
export function opaque(label: string, record: JsonObject, ms?: number): ParsedRecord {
  const whole = JSON.stringify(record);
  const part: Part = {
    type: 'notification',
    text: whole,
    searchText: redactThenCut(displayArguments(record), 2000),
  };
  return { label, known: false, ms, parts: [part] };
}

/** A record that is known and says nothing a reader looks for. */
export function quiet(label: string, record: JsonObject, ms?: number): ParsedRecord {
  return { label, known: true, ms, parts: [silentPart(record)] };
}

/** A part that is the record itself; its text is made when somebody looks at it. */
export function silentPart(record: JsonObject): Part {
  return {
    type: 'notification',
    silent: true,
    get text() {
      return JSON.stringify(record);
    },
  };
}

/** The text of a message that is a string or a list of content blocks. Pictures are named. */
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

/** A tool call; its exact text is the JSON of its arguments, search sees them as a reader types them. */
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
