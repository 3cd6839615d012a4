import { Language, Parser, type Tree } from 'web-tree-sitter';
import type { FileSymbols } from '../file-symbols.ts';
import { type CompiledRules, compileRules } from './compiled-rules.ts';
import { extractSymbols } from './extract-symbols.ts';
import { FlatTree, grammarNames } from './flat-tree.ts';
import { GRAMMARS, grammarFor, grammarsOf } from './languages/index.ts';
import { readGrammar } from './read-grammar.ts';

/** From the text of a file to its symbols; undefined without a grammar, and for data and bundles. */
export type SymbolReader = (text: string, path: string, language: string) => FileSymbols | undefined;

/** A parser needs about fifty times the size of a text in memory. */
const MAX_TEXT_LENGTH = 1_000_000;
/** Texts with longer lines on average are minified code or data. */
const MAX_AVERAGE_LINE_LENGTH = 400;

const MAX_PARSE_MS = 10_000;

interface Grammar {
  readonly parse: (text: string) => Tree | null;
  readonly rules: CompiledRules;
  readonly tree: FlatTree;
}

/** Reads symbols of the given languages; each grammar is loaded once per thread. */
export async function createSymbolReader(languages: Iterable<string>): Promise<SymbolReader> {
  const grammars = new Map<string, Grammar>();
  for (const language of languages) {
    for (const name of grammarsOf(language)) {
      const grammar = loaded.get(name) ?? loadGrammar(name);
      loaded.set(name, grammar);
      grammars.set(name, await grammar);
    }
  }
  return (text, path, language) => {
    const name = grammarFor(language, path, text);
    const grammar = name === undefined ? undefined : grammars.get(name);
    return grammar === undefined || isData(text) ? undefined : read(text, path, language, grammar);
  };
}

let ready: Promise<void> | undefined;
const loaded = new Map<string, Promise<Grammar>>();

async function loadGrammar(name: string): Promise<Grammar> {
  ready ??= Parser.init();
  await ready;
  const rules = GRAMMARS[name] ?? unknown(name);
  const language = await Language.load(readGrammar(name));
  const names = grammarNames(language);
  return {
    parse: parserOf(language),
    rules: compileRules(rules, names),
    tree: new FlatTree(names),
  };
}

/** Parses with a time limit, because some grammars take very long on some texts. */
function parserOf(language: Language): (text: string) => Tree | null {
  const parser = new Parser();
  parser.setLanguage(language);
  return (text) => {
    const deadline = performance.now() + MAX_PARSE_MS;
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
    if (tree === null) parser.reset();
    return tree;
  };
}

function unknown(name: string): never {
  throw new Error(`There is no grammar for ${name}.`);
}

function isData(text: string): boolean {
  if (text.length > MAX_TEXT_LENGTH) return true;
  if (text.length < 10 * MAX_AVERAGE_LINE_LENGTH) return false;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return text.length / lines > MAX_AVERAGE_LINE_LENGTH;
}

function read(text: string, path: string, language: string, grammar: Grammar): FileSymbols | undefined {
  const { prepare } = grammar.rules.rules;
  const parsed = grammar.parse(prepare === undefined ? text : prepare(text));
  if (parsed === null) return undefined;
  try {
    grammar.tree.read(parsed, text);
  } finally {
    parsed.delete();
  }
  return extractSymbols(grammar.tree, grammar.rules, language, path);
}
