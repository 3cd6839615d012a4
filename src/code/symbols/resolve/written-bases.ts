import { languageOf } from '../../languages.ts';
import type { DefinitionHead, SymbolRow } from '../symbol-rows.ts';
import { type FileFacts, isScript } from './question-files.ts';
import { closing, skipSpace, splitType, typeAt } from './type-text.ts';

/** A type that a definition says it extends, as it is written. */
export interface WrittenBase {
  readonly text: string;
  /** A promise: a class has no members from what it implements. */
  readonly isImplemented: boolean;
}

export function heritage(type: SymbolRow, facts: FileFacts): readonly WrittenBase[] {
  const { signature, kind } = type;
  const extended = (text: string) => ({ text, isImplemented: false });
  if (isScript(facts.language))
    return kind === 'type' ? [extended(aliasedType(type, facts))] : headOf(type, facts).bases;
  const lists: string[] = [];
  const named = /\b(?:extends|implements|with)\b/;
  if (named.test(signature)) {
    lists.push(...signature.split(/\b(?:extends|implements|with)\b/).slice(1));
  } else if (facts.language === 'python' || facts.language === 'ruby') {
    lists.push(/\(([^)]*)\)/.exec(signature)?.[1] ?? /<\s*([\w:]+)/.exec(signature)?.[1] ?? '');
  } else if (/^(?:csharp|kotlin|swift|cpp|cuda|rust)$/.test(facts.language)) {
    lists.push(/[^:]:(?!:)\s*([^:{].*)$/.exec(signature)?.[1] ?? '');
  }
  return lists
    .flatMap((list) => splitType(list.replace(/\{.*$/, ''), ','))
    .map((text) => text.replace(/^(?:public|private|protected|virtual)\s+/g, '').trim())
    .filter((text) => /^[A-Za-z_$]/.test(text))
    .map(extended);
}

/** The bases in the head of a class or an interface, and where the head ends. */
interface TypeHead {
  readonly bases: readonly WrittenBase[];
  readonly end: number;
}

const heads = new WeakMap<FileFacts, Map<number, TypeHead>>();

/** Kept, because each member of a type asks for its head. */
function headOf(type: SymbolRow, facts: FileFacts): TypeHead {
  const ofFile = heads.get(facts) ?? new Map<number, TypeHead>();
  heads.set(facts, ofFile);
  const read = type.kind === 'type' ? readAlias : readHead;
  const head = ofFile.get(type.nr) ?? read(type, facts);
  ofFile.set(type.nr, head);
  return head;
}

/** `extends A<B>, C implements D` after the name and the type parameters of a class or an interface. */
function readHead({ line, column, name }: SymbolRow, facts: FileFacts): TypeHead {
  const { text } = facts;
  let at = skipSpace(text, facts.offset(line, column) + name.length);
  if (text[at] === '<') at = skipSpace(text, closing(text, at) + 1);
  const found: WrittenBase[] = [];
  let isImplemented = false;
  for (;;) {
    const word = /^(?:extends|implements|,)\s*/.exec(text.slice(at, at + 200));
    if (word === null) return { bases: found, end: at };
    const type = clauseEnd(typeAt(text, at + word[0].length));
    if (word[0].startsWith('implements')) isImplemented = true;
    found.push({ text: type, isImplemented });
    at = skipSpace(text, skipSpace(text, at + word[0].length) + type.length);
  }
}

/** Where the head of a class, an interface or an alias ends: types in it have members that are not its own. */
export function headEnd(type: SymbolRow, facts: FileFacts): number {
  return headOf(type, facts).end;
}

/** The name and the type parameters of an alias. */
function readAlias({ line, column, name }: SymbolRow, facts: FileFacts): TypeHead {
  const { text } = facts;
  const at = skipSpace(text, facts.offset(line, column) + name.length);
  return { bases: [], end: text[at] === '<' ? closing(text, at) : at };
}

/** A type up to the next `extends` or `implements`. */
function clauseEnd(written: string): string {
  for (let at = 0; at < written.length; at++) {
    if (written[at] === '<' || written[at] === '(') at = closing(written, at);
    else if (/^\s(?:extends|implements)\s/.test(written.slice(at, at + 13)))
      return written.slice(0, at).trim();
  }
  return written;
}

/** What a type alias stands for. */
export function aliasedType({ line, column, name }: SymbolRow, facts: FileFacts): string {
  const { text } = facts;
  let at = skipSpace(text, facts.offset(line, column) + name.length);
  if (text[at] === '<') at = skipSpace(text, closing(text, at) + 1);
  return text[at] === '=' ? typeAt(text, at + 1) : '';
}

/** What the head of a type that extends another one has, in languages whose types name their bases there alone. */
const NAMES_BASE: Readonly<Record<string, RegExp>> = {
  typescript: /\b(?:extends|implements)\b/,
  javascript: /\b(?:extends|implements)\b/,
  java: /\b(?:extends|implements)\b/,
  php: /\b(?:extends|implements)\b/,
  python: /\(/,
};

/** Whether the head of a type is complete and names no other type. */
export function extendsNothing({ kind, signature, path }: DefinitionHead): boolean {
  const base = NAMES_BASE[languageOf(path) ?? ''];
  return (
    base !== undefined &&
    (kind === 'class' || kind === 'interface') &&
    !signature.endsWith('…') &&
    !base.test(signature)
  );
}
