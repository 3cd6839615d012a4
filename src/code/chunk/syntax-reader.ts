import { Language, type Node, Parser, Query } from 'web-tree-sitter';
import type { ChunkKind, Declaration } from './chunk.ts';
import type { SyntaxReader } from './chunker.ts';
import { declarationQuery, grammarFile } from './grammars.ts';
import { leadStart } from './line-outline.ts';
import { type FlatDeclaration, nest } from './nest-declarations.ts';

/** Larger files are cut by structure, because a parser needs about fifty times their size in memory. */
const MAX_TEXT = 1_000_000;
const MAX_NAME = 80;
/** A file with more names than this is data. */
const MAX_DECLARATIONS = 5000;

interface Grammar {
  readonly parser: Parser;
  readonly query: Query;
}

/** Only these nodes declare a name; the others use it (calls, inline types, parameters). */
const DECLARES =
  /(?:^(?:class|module|method|singleton_method|assignment)|_(?:definition|declaration|item|spec|declarator|statement|function_def|alias|specifier))$/;
const KINDS: readonly (readonly [RegExp, ChunkKind])[] = [
  [/function|method|constructor|macro|operator/, 'function'],
  [/interface|trait|enum|type|union|alias/, 'type'],
  [/class|struct|impl|object|record|extension/, 'class'],
  [/module|namespace|package|mod_item/, 'module'],
];

/** Reads declarations with tree-sitter for the given languages; each grammar is loaded once. */
export async function createSyntaxReader(languages: Iterable<string>): Promise<SyntaxReader> {
  const grammars = new Map<string, Grammar>();
  for (const language of languages) {
    const grammar = await loadGrammar(language);
    if (grammar !== undefined) grammars.set(language, grammar);
  }
  return (text, language) => {
    const grammar = grammars.get(language);
    return grammar === undefined || text.length > MAX_TEXT ? undefined : declarations(text, grammar);
  };
}

let ready: Promise<void> | undefined;

async function loadGrammar(name: string): Promise<Grammar | undefined> {
  const file = grammarFile(name);
  if (file === undefined) return undefined;
  ready ??= Parser.init();
  await ready;
  const language = await Language.load(file);
  const parser = new Parser();
  parser.setLanguage(language);
  return { parser, query: new Query(language, declarationQuery(name)) };
}

function declarations(text: string, { parser, query }: Grammar): Declaration[] | undefined {
  const tree = parser.parse(text);
  if (tree === null) return undefined;
  try {
    const lines = text.split('\n');
    const found = new Map<number, FlatDeclaration>();
    for (const { captures } of query.matches(tree.rootNode, { matchLimit: MAX_DECLARATIONS })) {
      const [first, second] = captures;
      if (first === undefined || second === undefined) continue;
      const [node, name] = first.name === 'node' ? [first.node, second.node] : [second.node, first.node];
      const read = declaration(node, name, lines);
      // Several nodes may be named on one line (a type and its alias); the outermost comes first and is kept.
      if (read !== undefined && !found.has(read.line)) found.set(read.line, read);
    }
    return nest([...found.values()].sort((a, b) => a.line - b.line));
  } finally {
    tree.delete();
  }
}

function declaration(node: Node, name: Node, lines: readonly string[]): FlatDeclaration | undefined {
  const { type } = node;
  if (!DECLARES.test(type) || /parameter|import|use_/.test(type)) return undefined;
  const kind = KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'value';
  const plain = plainName(name.text);
  if (plain === undefined) return undefined;
  const { row } = node.startPosition;
  return {
    name: plain,
    kind,
    line: name.startPosition.row,
    from: leadStart(lines, row),
    to: node.endPosition.row + 1,
  };
}

/** The last part of a name without parameters, pointers and type arguments. */
function plainName(text: string): string | undefined {
  const head = text.replace(/\s*[(<[{][\s\S]*$/, '');
  return head.length > 4 * MAX_NAME
    ? undefined
    : /([\p{L}_$~][\p{L}\p{N}_$]*[!?=]?)\W*$/u.exec(head)?.[1]?.slice(0, MAX_NAME);
}
