import { execFileSync, spawnSync } from 'node:child_process';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languageOf } from '../../src/code/languages.ts';
import { createSymbolReader } from '../../src/code/symbols/extract/symbol-reader.ts';

/**
 * Random definitions beside those of universal-ctags, which reads without a grammar, or of regular expressions where it
 * does not know the language: name and line, both ways. Where ctags is wrong, a rule says so, never a list of places. The
 * sources are what the machine has, or the folders that PINHOLE_SOURCES lists. PINHOLE_SYMBOL_LANGUAGES=c,go takes some
 * of the languages, PINHOLE_DIFFERENCES=20 prints that many differences of each kind, PINHOLE_SEED=2 draws others.
 */
const folders = process.env.PINHOLE_SOURCES?.split(':') ?? [
  'src',
  'node_modules',
  '/usr/include',
  '/usr/lib/python3',
  '/usr/share',
];
const shown = Number(process.env.PINHOLE_DIFFERENCES ?? 0);
const SAMPLE = 200;
const MAX_FILES = 400;
const MAX_BYTES = 200_000;

/** How ctags calls each language, and which of its kinds are not definitions: local names, parameters, imports. */
const LANGUAGES: Readonly<Record<string, readonly [name: string, omitted: string]>> = {
  bash: ['Sh', 'script heredoc alias'],
  c: ['C', 'local parameter header label'],
  cpp: ['C++', 'local parameter header label using name tparam partition'],
  csharp: ['C#', 'local typedef'],
  elixir: ['Elixir', 'test exception implementation delegate operator callback record'],
  go: ['Go', 'packageName package unknown receiver parameter anonMember'],
  haskell: ['Haskell', 'module'],
  java: ['Java', 'package local'],
  javascript: ['JavaScript', 'unknown property'],
  kotlin: ['Kotlin', 'package constant variable'],
  lua: ['Lua', 'unknown'],
  php: ['PHP', 'alias local'],
  python: ['Python', 'module unknown local parameter namespace'],
  ruby: ['Ruby', 'library alias describe context'],
  rust: ['Rust', 'implementation parameter local'],
  typescript: ['TypeScript', 'alias local parameter constant variable property'],
};

interface Place {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly kind: string;
  readonly pattern?: string;
  /** What ctags found around it. */
  readonly scope?: string;
}

/** Languages that ctags does not read, by how a line of theirs begins that defines a name. */
const LINES: Readonly<Record<string, RegExp>> = {
  scala:
    /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:private|protected)(?:\[\w+\])?\s+|(?:override|final|sealed|abstract|implicit|lazy|inline|case|opaque|transparent)\s+)*(?:def|class|trait|object|enum|type)\s+(`[^`]+`|[A-Za-z_$][\w$]*)/,
  zig: /^\s*(?:pub\s+)?(?:(?:export|extern|inline|noinline)\s+(?:"\w+"\s+)?)*(?:fn\s+([A-Za-z_]\w*)\s*\(|const\s+([A-Za-z_]\w*)\s*=\s*(?:extern\s+|packed\s+)?(?:struct|enum|union|opaque)\b)/,
};

const chosen = process.env.PINHOLE_SYMBOL_LANGUAGES?.split(',') ?? [
  ...Object.keys(LANGUAGES),
  ...Object.keys(LINES),
];
const hasCtags = spawnSync('ctags', ['--version']).stdout?.includes('Universal Ctags') === true;
if (!hasCtags) console.error('SKIPPED: universal-ctags is not installed, so nothing was compared.');

describe.skipIf(!hasCtags).each(chosen)('beside another reader in %s', (language) => {
  it('finds the same definitions', async () => {
    const random = generator(Number(process.env.PINHOLE_SEED ?? 14));
    const all = folders.flatMap((folder) => [...sources(folder, language)]);
    const paths = shuffled(all, random).slice(0, MAX_FILES);
    if (paths.length === 0) {
      console.error(`SKIPPED: no sources in ${language} under ${folders.join(', ')}.`);
      return;
    }
    const read = await createSymbolReader([language]);
    const ours: Place[] = [];
    const known: string[] = [];
    for (const path of paths) {
      const found = read(readFileSync(path, 'utf8'), path, language);
      if (found === undefined) continue;
      known.push(path);
      for (const { name, line, kind } of found.definitions) ours.push({ path, name, line, kind });
    }
    const rule = LINES[language];
    const theirs = rule === undefined ? ctags(known, language) : byLines(known, rule);
    // A variable that is assigned again and a function with several clauses are one definition for us.
    const again = new Set(ours.map(({ path, name }) => `${path}\n${plain(name)}`));
    const repeats = language === 'elixir' || language === 'haskell' ? /./ : /^variable$/;
    const missed = shuffled(theirs, random)
      .slice(0, SAMPLE)
      .filter(without(ours))
      .filter(({ path, name, kind }) => !repeats.test(kind) || !again.has(`${path}\n${plain(name)}`));
    const added = shuffled(ours, random).slice(0, SAMPLE).filter(without(theirs));
    const [most, more] = [Math.min(SAMPLE, theirs.length), Math.min(SAMPLE, ours.length)];
    console.log(
      `${language}: ${known.length} files; of ${most} by the other we have ${most - missed.length}; of ${more} by us it has ${more - added.length}`,
    );
    for (const place of missed.slice(0, shown)) console.log(`  only it:    ${describePlace(place)}`);
    for (const place of added.slice(0, shown)) console.log(`  only we:    ${describePlace(place)}`);
    expect(missed.length / most).toBeLessThanOrEqual(0.05);
  });
});

function describePlace({ path, name, line, kind }: Place): string {
  const text = readFileSync(path, 'utf8').split('\n')[line - 1]?.trim().slice(0, 100);
  return `${kind} ${name} ${path}:${line} | ${text}`;
}

function without(places: readonly Place[]): (place: Place) => boolean {
  const keys = new Set(places.map(key));
  return (place) => !keys.has(key(place));
}

function key({ path, name, line }: Place): string {
  return `${path}\n${line}\n${plain(name)}`;
}

/** The last part: `M.open` is `open`, and `operator =` is `operator=`. */
function plain(name: string): string {
  return name
    .replace(/\s+/g, '')
    .replace(/^(operator)\(\)$/, '$1')
    .replace(/^.*[.:](?=\w)/, '')
    .replace(/^[$#@:]+/, '');
}

/** What the lines of files define, by the language's expression. */
function byLines(paths: readonly string[], rule: RegExp): Place[] {
  return paths.flatMap((path) =>
    withoutTexts(readFileSync(path, 'utf8'))
      .split('\n')
      .flatMap((text, at) => {
        const found = rule.exec(text);
        const name = found?.[1] ?? found?.[2];
        return name === undefined
          ? []
          : [{ path, name: name.replaceAll('`', ''), line: at + 1, kind: 'line' }];
      }),
  );
}

/** A text with nothing in its comments and long strings, line by line as before. */
function withoutTexts(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|"{3}[\s\S]*?"{3}/g, (part) => part.replace(/[^\n]/g, ' '));
}

function ctags(paths: readonly string[], language: string): Place[] {
  if (paths.length === 0) return [];
  const [name = '', omitted = ''] = LANGUAGES[language] ?? [];
  const leave = new Set(omitted.split(' '));
  const options = [
    '--output-format=json',
    '--fields=nKPFNs',
    '-f',
    '-',
    '-L',
    '-',
    `--language-force=${name}`,
  ];
  const prototypes = language === 'c' || language === 'cpp' ? [`--kinds-${name}=+px`] : [];
  const output = execFileSync('ctags', [...options, ...prototypes], {
    input: paths.join('\n'),
    maxBuffer: 1 << 30,
    encoding: 'utf8',
  });
  return output
    .split('\n')
    .filter((line) => line.startsWith('{"_type": "tag"'))
    .map((line): Place => JSON.parse(line))
    .filter(
      (place) => NO_DEFINITION[name]?.test(place.pattern ?? '') !== true && IS_WRONG[name]?.(place) !== true,
    )
    .filter(
      ({ kind, name: tag }) =>
        !leave.has(kind) && !/^__anon|anonymous|AnonymousFunction|^<lambda>$/.test(tag),
    );
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** What ctags takes for a definition although the line is none, by language. */
const NO_DEFINITION: Readonly<Record<string, RegExp>> = {
  // Variables of functions, numbers with an underscore, imports.
  TypeScript: /^\/\^\s+(?:const|let|var|for)\b|^\/\^for\b|\d_\d|unique symbol/,
  JavaScript: /^\/\^\s+(?:const|let|var|for)\b|\brequire\(|module\.exports/,
  // Lambdas are methods.
  Kotlin: /^(?!.*\b(?:fun|class|interface|object|typealias)\b)/,
  Lua: /^(?!.*(?:\bfunction\s+[\w.:]+\s*\(|=\s*function\b))|\[/,
  // Test macros, and macros that are called.
  'C++': /^\/\^\s*(?:TYPED_)?(?:TEST|BENCHMARK|INSTANTIATE)\w*\(|\bfriend\b/,
  C: /\bfriend\b|^\/\^[A-Z_]+\(/,
  Sh: /=\(\)/,
  Haskell: /^\/\^\s*(?:pattern|return)\b/,
  Elixir: /^\/\^\s{4,}defmodule/,
};

/** The same by more than the line alone. */
const IS_WRONG: Readonly<Record<string, (place: Place) => boolean>> = {
  C: ({ name, kind }) => isMacroCall(name, kind),
  // ctags does not see the braces behind a macro: what is indented and in no class or namespace is in a function.
  'C++': ({ name, kind, pattern = '', scope }) =>
    isMacroCall(name, kind) ||
    // `CHECK(json::parse(text));` is a statement, not a prototype.
    (kind === 'prototype' && /^\/\^\s*[A-Z][A-Z\d_]*\(/.test(pattern)) ||
    (/^(?:variable|prototype|function)$/.test(kind) && scope === undefined && /^\/\^[ \t]/.test(pattern)),
  // ctags calls objects classes, and takes commas, parameters and comparisons for fields.
  JavaScript: ({ name, pattern = '' }) => !definesInScript(name, pattern),
  // A function in a table that is an argument has no name that others could use.
  Lua: ({ name, pattern = '' }) =>
    /^\/\^\s+[\w[\]"']+\s*=\s*function/.test(pattern) || !/^[\w.:]+$/.test(name),
  Haskell: ({ name, pattern = '' }) =>
    /^(?:class|deriving|instance|type|data|newtype|foreign)$/.test(name) || /^\/\^\$?\(?derive/.test(pattern),
  // Examples in the documentation.
  Elixir: ({ path, line }) =>
    (readFileSync(path, 'utf8').split('\n').slice(0, line).join('\n').split('"'.repeat(3)).length & 1) === 0,
  // Code of other languages in strings, and patterns of `case`.
  Sh: ({ name, pattern = '' }) =>
    !new RegExp(`^\\/\\^\\s*(?:function\\s+)?${escaped(name)}(?![\\w.:-])`).test(pattern),
};

function isMacroCall(name: string, kind: string): boolean {
  return kind === 'prototype' && /^[A-Z][A-Z\d_]*$/.test(name);
}

/** Whether a line of JavaScript defines a name that others can reach: the own name of a value is none. */
function definesInScript(name: string, pattern: string): boolean {
  const own = escaped(plain(name));
  const isInner = new RegExp(
    `[:=]\\s*(?:async\\s+)?function\\s*\\*?\\s+${own}\\b|^\\/\\^\\s+${own}\\s*=[^=>]`,
  );
  const defines = new RegExp(
    [
      `\\b(?:function\\s*\\*?|class|const|let|var|get|set|static)\\s+[#*]?${own}(?![\\w$])`,
      `(?:^|[^\\w$])['"]?${own}['"]?\\s*[:=]\\s*(?:async\\s*)?(?:function\\b|class\\b|\\(|\\w+\\s*=>)`,
      `^\\/\\^\\s*(?:async\\s+|\\*\\s*)?#?${own}\\s*\\(.*\\{`,
    ].join('|'),
  );
  return !isInner.test(pattern) && defines.test(pattern);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

function* sources(folder: string, language: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path, language);
    else if (entry.isFile() && languageOf(path) === language && readFileSync(path).length < MAX_BYTES)
      yield path;
  }
}

/** The same numbers on every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
