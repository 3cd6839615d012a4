import { isObject } from '../contract/guards.ts';

/** The entry that Pinhole writes into a client's settings. */
export type Entry = Readonly<Record<string, string | boolean | readonly string[]>>;

/** The name of the entry, in every client. */
export const SERVER_NAME = 'pinhole';

/** Where the entry is in a settings file, such as `['mcpServers', 'pinhole']`: two keys, or more where it is deeper. */
export type EntryPath = readonly string[];

/** The entry at a path in some settings, or undefined. */
export function entryIn(
  settings: Readonly<Record<string, unknown>>,
  path: EntryPath,
): Readonly<Record<string, unknown>> | undefined {
  const found = path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), settings);
  return isObject(found) ? found : undefined;
}

/** A settings file that must not be touched: it does not parse, or it is written in a way we cannot edit safely. */
export class UnusableSettings extends Error {
  override readonly name = 'UnusableSettings';
}

/** Reads and edits one entry of a settings text; everything else keeps its bytes. */
export interface SettingsFormat {
  /** All settings as plain data; throws {@link UnusableSettings} with line and column. */
  parse(text: string): Readonly<Record<string, unknown>>;
  /** The text with the entry added, or with its keys set to these values; other keys of the entry stay. */
  set(text: string, path: EntryPath, entry: Entry): string;
  /** The text without the entry. */
  remove(text: string, path: EntryPath): string;
}

/** Line and column of an offset, starting at 1. */
export function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

export interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Applies edits that do not overlap; of two at the same offset, the first comes first. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .reverse()
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (all, edit) => all.slice(0, edit.offset) + edit.text + all.slice(edit.offset + edit.length),
      text,
    );
}

/** The line ending that a text uses. */
export function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Where the line of an offset starts. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line break of an offset's line is. */
export function lineBreak(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at < 0) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

/** Where the line of an offset ends, its line break included. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}
