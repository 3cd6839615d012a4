import type { ChunkKind } from './chunk.ts';

/** A name found in one line by the shape of the line alone. */
export interface NamedLine {
  readonly name: string;
  readonly kind: ChunkKind;
}

const MODIFIERS =
  '(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|override|open|sealed|inline|virtual|extern|unsafe|pub(?:\\([^)]*\\))?|const|suspend|data|partial|readonly|implicit|lazy|case|companion|fileprivate|mutating|local|constexpr|tailrec|operator|declare|typedef|indirect|final|noncomputable|comptime|@\\w+(?:\\([^)]*\\))?)\\s+)*';
const KEYWORD =
  '(def|defp|defmodule|defmacrop?|defprotocol|defimpl|defstruct|fn|func|fun|function\\*?|proc|sub|method|class|struct|interface|trait|enum|object|module|protocol|record|extension|actor|macro_rules!|instance|newtype|type|typealias|data|namespace|macro|impl(?:<[^>]*>)?|union|mixin)';
const BY_KEYWORD = new RegExp(
  `^\\s*${MODIFIERS}${KEYWORD}\\s+(?:\\([^)]*\\)\\s*)?(?:<[^>]*>\\s*)?(?:class\\s+|object\\s+)?(?:[A-Za-z_]\\w*(?:<[^>]*>)?\\s+for\\s+)?([A-Za-z_$][\\w$]*(?:(?:\\.|::?)[\\w$]+)*[!?]?)`,
);
const BY_VALUE =
  /^\s*(?:export\s+|pub\s+|static\s+|inline\s+|public\s+|private\s+|protected\s+|internal\s+|final\s+|lazy\s+|implicit\s+|override\s+|readonly\s+)*(?:const|let|var|val|final|M\.|exports\.|module\.exports\.|this\.)\s*([A-Za-z_$][\w$]*)\s*(?::[^=]+)?=/;
const BY_CALL_SHAPE =
  /^(?!\s*(?:if|for|while|switch|return|else|catch|do|case|throw|await|yield|using|lock|new|delete|sizeof|goto|print|echo|assert|expect|it|describe|test|with|when|match|elif|elsif|unless|until|puts|raise|require|import|include|not|and|or)\b)\s*(?:[A-Za-z_][\w<>:,*&[\]?~.]*\s+)+[*&]*([A-Za-z_~][\w:]*)\s*\([^;]*$/;
const METHOD =
  /^\s+(?:(?:static|async|get|set|\*)\s*)*#?(?!(?:if|for|while|switch|catch|with|function|return|await|super)\b)([A-Za-z_$][\w$]*)\s*(?:<[^>]*>)?\([^;]*\)\s*(?::[^{=]+)?\{\s*$/;
const BY_MACRO = /^\s*#\s*define\s+(\w+)/;
const SHELL = /^\s*(?:function\s+)?([\w:.-]+)\s*\(\)\s*\{?/;
const HASKELL = /^([a-z_][\w']*)\s*::/;
const YAML_KEY = /^(\s{0,2})(?:- )?([A-Za-z_][\w.-]*):(?:\s|$)/;
const TOML_TABLE = /^\s*\[+\s*([^\]]+?)\s*\]+\s*$/;
const MAX_LINE_LENGTH = 300;
/** How declarations begin; this alone rules out most lines. */
const DECLARATION_START = /^\s*[\p{L}_@#~]/u;

const KINDS: Readonly<Record<string, ChunkKind>> = {
  class: 'class',
  struct: 'class',
  object: 'class',
  actor: 'class',
  record: 'class',
  mixin: 'class',
  extension: 'class',
  impl: 'class',
  instance: 'class',
  defimpl: 'class',
  interface: 'type',
  trait: 'type',
  protocol: 'type',
  defprotocol: 'type',
  enum: 'type',
  union: 'type',
  type: 'type',
  typealias: 'type',
  newtype: 'type',
  data: 'type',
  defstruct: 'type',
  module: 'module',
  defmodule: 'module',
  namespace: 'module',
};

/** Languages in which a type, a name and parentheses declare a function. */
const CALL_SHAPED: ReadonlySet<string> = new Set([
  'c',
  'cpp',
  'cuda',
  'csharp',
  'java',
  'javascript',
  'typescript',
  'objectivec',
  'dart',
  'groovy',
  'php',
  'svelte',
  'vue',
]);

/** The declaration in a line, or undefined. */
export function declaredIn(line: string, language: string | undefined): NamedLine | undefined {
  if (line.length > MAX_LINE_LENGTH) return undefined;
  switch (language) {
    case 'bash':
      return named(SHELL.exec(line)?.[1], 'function');
    case 'yaml':
    case 'terraform':
      return named(YAML_KEY.exec(line)?.[2], 'section') ?? byKeyword(line);
    case 'toml':
      return named(TOML_TABLE.exec(line)?.[1], 'section');
    case 'json':
    case 'xml':
    case 'html':
    case 'css':
      return undefined;
    default:
      if (!DECLARATION_START.test(line)) return undefined;
      return byKeyword(line) ?? named(BY_VALUE.exec(line)?.[1], 'value') ?? byShape(line, language);
  }
}

function byKeyword(line: string): NamedLine | undefined {
  const match = BY_KEYWORD.exec(line);
  if (match === null) return undefined;
  const keyword = (match[1] ?? '').replace(/<.*$/, '');
  return named(lastPart(match[2]), KINDS[keyword] ?? 'function');
}

function byShape(line: string, language: string | undefined): NamedLine | undefined {
  if (language === 'haskell') return named(HASKELL.exec(line)?.[1], 'function');
  if (language === undefined || !CALL_SHAPED.has(language)) return undefined;
  const method = language === 'javascript' || language === 'typescript' ? METHOD.exec(line)?.[1] : undefined;
  return (
    named(method, 'function') ??
    named(BY_MACRO.exec(line)?.[1], 'value') ??
    named(lastPart(BY_CALL_SHAPE.exec(line)?.[1]), 'function')
  );
}

function named(name: string | undefined, kind: ChunkKind): NamedLine | undefined {
  return name === undefined || name === '' ? undefined : { name, kind };
}

function lastPart(name: string | undefined): string | undefined {
  return name?.split(/[.:]+/).at(-1);
}
