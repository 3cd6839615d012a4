import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { copySqlite } from '../../store/sqlite.ts';
import type { CallContext } from '../../threads/messages.ts';
import { languageOf } from '../languages.ts';
import { ROLE, rolesOf } from '../rank/file-roles.ts';
import { createSymbolReader } from './extract/symbol-reader.ts';
import type { FileSymbols } from './file-symbols.ts';
import { parsedText, readSource } from './source-text.ts';
import { FILE_FLAG } from './symbol-schema.ts';
import { type FileRecord, type FileStamp, type SameContent, SymbolWriter } from './symbol-writer.ts';

/** A file to store, as the tree lists it. */
export type ListedFile = Omit<FileStamp, 'hash'> & { readonly path: string };

export interface IndexOrder {
  readonly root: string;
  readonly database: string;
  readonly files: readonly ListedFile[];
  /** Hashes of what is stored, by path; the same content is not parsed again. */
  readonly known: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
}

/** The stamps of the files that were stored, by path. */
export type IndexReport = Readonly<Record<string, FileStamp>>;

export interface ParseOrder {
  readonly path: string;
  readonly text: string;
}

const NEWLINE = /\n/g;

type Reader = Awaited<ReturnType<typeof createSymbolReader>>;
const readers = new Map<string, Promise<Reader>>();
const writers = new Map<string, SymbolWriter>();

/** Reads and parses files, and stores them in one transaction. */
export async function indexFiles(order: IndexOrder, { signal }: CallContext): Promise<IndexReport> {
  const records: FileRecord[] = [];
  const same: SameContent[] = [];
  for (const listed of order.files) {
    await nextTurn();
    signal.throwIfAborted();
    const { path } = listed;
    const source = readSource(order.root, path);
    if (source !== undefined && order.known[path] === source.stamp.hash) same.push({ path, ...source.stamp });
    else if (source?.text === undefined) records.push(withoutText(listed, source?.stamp));
    else records.push(await recordOf(path, source.text, source.stamp));
  }
  let writer = writers.get(order.database);
  if (writer === undefined) {
    writer = new SymbolWriter(order.database);
    writers.set(order.database, writer);
  }
  writer.write(records, same, order.removed);
  return Object.fromEntries(
    [...records, ...same].map(({ path, size, mtimeMs, ctimeMs, hash }) => [
      path,
      { size, mtimeMs, ctimeMs, hash },
    ]),
  );
}

/** The symbols of a text; undefined if there is no grammar for it. */
export async function parseText({ path, text }: ParseOrder): Promise<FileSymbols | undefined> {
  const language = languageOf(path);
  return language === undefined ? undefined : (await readerOf(language))(parsedText(text), path, language);
}

/** Closes a database, so that it can be deleted. */
export function forgetDatabase(database: string): void {
  writers.get(database)?.close();
  writers.delete(database);
}

/** Copies a database, completely or not at all, even while it is written. */
export function copyDatabase({ from, to }: { readonly from: string; readonly to: string }): void {
  const part = `${to}.part`;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  rmSync(part, { force: true });
  copySqlite(from, part);
  chmodSync(part, 0o600);
  renameSync(part, to);
}

/** A file that could not be read, or contains no text: it is stored too, so that it is not read again and again. */
function withoutText(listed: ListedFile, stamp: FileStamp = { ...listed, hash: '' }): FileRecord {
  return { ...stamp, path: listed.path, language: undefined, lines: 0, flags: 0, symbols: undefined };
}

async function recordOf(path: string, text: string, stamp: FileStamp): Promise<FileRecord> {
  const language = languageOf(path);
  const roles = rolesOf(path, language, text);
  const symbols = await parseText({ path, text });
  const [tested] = symbols?.tests ?? [];
  const isTest =
    symbols === undefined ? (roles & ROLE.test) !== 0 : tested?.from === 1 && tested.to >= symbols.lines;
  const flags =
    FILE_FLAG.text |
    (isTest ? FILE_FLAG.test : 0) |
    ((roles & ROLE.generated) !== 0 ? FILE_FLAG.generated : 0) |
    (symbols === undefined ? 0 : FILE_FLAG.parsed);
  return { ...stamp, path, language, lines: symbols?.lines ?? linesIn(text), flags, symbols };
}

function linesIn(text: string): number {
  if (text === '') return 0;
  return (text.match(NEWLINE)?.length ?? 0) + (text.endsWith('\n') ? 0 : 1);
}

/** Grammars are loaded once per thread. */
function readerOf(language: string): Promise<Reader> {
  const known = readers.get(language);
  if (known !== undefined) return known;
  const reader = createSymbolReader([language]);
  readers.set(language, reader);
  return reader;
}
