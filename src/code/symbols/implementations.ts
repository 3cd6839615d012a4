import { qualifiedName } from './qualified-names.ts';
import { keyOf } from './resolve/member-lookup.ts';
import { type FileFacts, isType } from './resolve/question-files.ts';
import { closing } from './resolve/type-text.ts';
import type { SymbolQuestion } from './symbol-question.ts';
import type { ReferenceRow, SymbolRow } from './symbol-rows.ts';

/** A type that extends or implements another one, or the block in which it does. */
export interface Implementation {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** Of the uses of a type, those that extend or implement it. */
export async function implementationsOf(
  { files, references }: SymbolQuestion,
  type: SymbolRow,
  uses: readonly ReferenceRow[],
): Promise<readonly Implementation[]> {
  const found = new Map<string, Implementation>();
  for (const use of uses) {
    const { path, inside } = use;
    const facts = await files.facts(path);
    const block = facts.language === 'rust' ? implBlock(facts, use) : objectBlock(facts, use);
    if (block !== undefined) {
      found.set(`${path}:${block.from}:${block.name}`, block);
      continue;
    }
    const around = inside === undefined ? undefined : facts.definitions[inside];
    if (around === undefined || !isType(around) || keyOf(around) === keyOf(type)) continue;
    const bases = await references.lookup.members.bases(around);
    if (bases.some((base) => keyOf(base) === keyOf(type)))
      found.set(keyOf(around), { ...around, name: qualifiedName(around) });
  }
  return [...found.values()];
}

const IMPL_HEAD = /\bimpl\b(?:\s*<[^{};]*>)?\s+!?(?:\w+::)*$/;
const MAX_HEAD_LENGTH = 600;

/** The Rust block `impl Trait for Type { … }` whose head names a trait; it is not itself a definition. */
function implBlock(facts: FileFacts, { path, line, column, name }: ReferenceRow): Implementation | undefined {
  const { text } = facts;
  const offset = facts.offset(line, column);
  const before = text.slice(Math.max(0, offset - MAX_HEAD_LENGTH), offset);
  const head = IMPL_HEAD.exec(before)?.[0];
  if (head === undefined) return undefined;
  let after = offset + name.length;
  if (text[after] === '<') after = closing(text, after) + 1;
  const written = /^\s+for\s+([^{;]+?)\s*(?:\bwhere\b[^{;]*)?\{/.exec(
    text.slice(after, after + MAX_HEAD_LENGTH),
  );
  if (written?.[1] === undefined) return undefined;
  const from = line - linesIn(head);
  const end = closing(text, after + written[0].length - 1);
  return {
    name: written[1].replace(/\s+/g, ' '),
    kind: 'impl',
    path,
    from,
    to: from + linesIn(text.slice(offset - head.length, end)),
  };
}

/** `object : Name {`, `new Name(…) {`: an object of a class without a name. */
const OBJECT_HEADS: Readonly<Record<string, RegExp>> = {
  kotlin: /\bobject\s*:\s*(?:[^{};=]*,\s*)?$/,
  java: /\bnew\s+(?:\w+\.)*$/,
  scala: /\bnew\s+(?:\w+\.)*$/,
};

function objectBlock(facts: FileFacts, use: ReferenceRow): Implementation | undefined {
  const { path, line, column, name, inside } = use;
  const { text } = facts;
  const offset = facts.offset(line, column);
  const head = OBJECT_HEADS[facts.language]?.exec(
    text.slice(Math.max(0, offset - MAX_HEAD_LENGTH), offset),
  )?.[0];
  if (head === undefined) return undefined;
  let after = offset + name.length;
  for (let open = text[after] ?? ''; '<[('.includes(open) && open !== ''; open = text[after] ?? '')
    after = closing(text, after) + 1;
  // In Kotlin other types may follow.
  const rest = facts.language === 'kotlin' ? /^(?:\s*,[^{};=]*)?\s*\{/ : /^\s*\{/;
  const written = rest.exec(text.slice(after, after + MAX_HEAD_LENGTH))?.[0];
  if (written === undefined) return undefined;
  const from = line - linesIn(head);
  const end = closing(text, after + written.length - 1);
  const around = inside === undefined ? undefined : facts.definitions[inside];
  return {
    name: around === undefined ? 'object' : `object in ${qualifiedName(around)}`,
    kind: 'object',
    path,
    from,
    to: from + linesIn(text.slice(offset - head.length, end)),
  };
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}
