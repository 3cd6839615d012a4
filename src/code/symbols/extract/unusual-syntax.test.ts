import { expect, test } from 'vitest';
import { createSymbolReader } from './symbol-reader.ts';

async function definitions(language: string, path: string, lines: readonly string[]) {
  const read = await createSymbolReader([language]);
  return read(lines.join('\n'), path, language)?.definitions.map(
    ({ kind, name, from, to }) => `${kind} ${name} ${from}-${to}`,
  );
}

test('functions of zsh, with its expansions, flags and short forms', async () => {
  expect(
    await definitions('bash', 'a.zsh', [
      'function short() { echo $1 }',
      '() {',
      '  setopt extendedglob',
      '} &|',
      'globalias() {',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
      '  local word=${${(Az)LBUFFER}[-1]}',
      '  if [[ $FILTER[(Ie)$word] -eq 0 ]]; then',
      '    zle expand',
      '  fi',
      '}',
      'function ofd {',
      '  if (( ! $# )); then',
      '    open $PWD',
      '  fi',
      '}',
      'has() {',
      '  (( $+commands[git] )) && ls *(N)',
      '}',
      'bold() {',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
      '  echo "${out:+${out};}1"',
      '}',
      '',
    ]),
  ).toEqual([
    'function short 1-1',
    'function globalias 5-10',
    'function ofd 11-15',
    'function has 16-18',
    'function bold 19-21',
  ]);
});

test('macros of C++ before a class, behind a member, before a variable and with a type in them', async () => {
  expect(
    await definitions('cpp', 'a.cc', [
      'DECLARE_FLAG(bool, verbose, false,',
      '             "help");',
      'class MY_LOCKABLE Info : public Handle {',
      ' public:',
      '  void Track();',
      '  int head MY_GUARDED_BY(mutex_) = 0;',
      '};',
      'MY_CONST_INIT std::atomic<bool> checks(false);',
      'int last() { return 1; }',
      '',
    ]),
  ).toEqual(
    expect.arrayContaining(['class Info 3-7', 'method Track 5-5', 'field head 6-6', 'function last 9-9']),
  );
});

test('signatures of TypeScript that begin with type parameters, without semicolons', async () => {
  expect(
    await definitions('typescript', 'a.ts', [
      'export interface Handlers<E> {',
      '  // one',
      '  <P extends string>(',
      '    handler: H<P>',
      '  ): Base<E, P>',
      '',
      '  // two',
      '  <P extends string, I>(path: P): Base<I> // that is all',
      '  <',
      '    P extends string,',
      '  >(...paths: P[]): void',
      '  name: string',
      '}',
      'const identity =',
      '  <T>(value: T): T => value',
      'export type Last = 1',
      '',
    ]),
  ).toEqual(['interface Handlers 1-13', 'field name 12-12', 'function identity 14-15', 'type Last 16-16']);
});

test('C functions with an attribute macro between type and name', async () => {
  expect(
    await definitions('c', 'a.c', [
      'static int printflike(7, 8)',
      'write_value(int a, const char *fmt, ...)',
      '{',
      '  return 0;',
      '}',
      'u_char * api_cdecl',
      'my_snprintf(u_char *buf)',
      '{',
      '  return buf;',
      '}',
      'void api_cdecl log_error(int level);',
      'void printflike(1, 2) fatal(const char *, ...);',
      '#define CLOSE_EXIT 0x1',
      'int count GUARDED_BY(lock);',
      'int run(void) MARKED(x);',
      'static unsigned long',
      'last(char *const p)',
      '{',
      '  return 0;',
      '}',
      '',
    ]),
  ).toEqual([
    'function write_value 1-5',
    'function my_snprintf 6-10',
    'function log_error 11-11',
    'function fatal 12-12',
    'macro CLOSE_EXIT 13-13',
    'variable count 14-14',
    'function run 15-15',
    'function last 16-20',
  ]);
});

test('Kotlin classes with a constructor on the next line, and `suspend` as a name', async () => {
  expect(
    await definitions('kotlin', 'A.kt', [
      'value class Result<out T>',
      '@PublishedApi internal constructor(internal val holder: Any?) {',
      '  fun get() = holder',
      '}',
      'class Lock {',
      '  fun acquire(w: W) = take(w, suspend = { add(it) })',
      '  private inline fun <W> take(w: W, suspend: (W) -> Boolean, block: suspend (W) -> Unit) {',
      '    if (suspend(w)) return',
      '  }',
      '  fun last() = 1',
      '}',
      '',
    ]),
  ).toEqual([
    'class Result 1-4',
    'field holder 2-2',
    'method get 3-3',
    'class Lock 5-11',
    'method acquire 6-6',
    'method take 7-9',
    'method last 10-10',
  ]);
});

test('operators of Elixir and numbered keys of Lua are not names', async () => {
  expect(
    await definitions('elixir', 'a.ex', [
      'defmodule A do',
      '  def left == right do',
      '    :ok',
      '  end',
      '  def size(x) when x > 0, do: x',
      'end',
      '',
    ]),
  ).toEqual(['module A 1-6', 'function size 5-5']);
  expect(
    await definitions('lua', 'a.lua', [
      'local M = {',
      '  [1] = function() end,',
      '  open = function() end,',
      '}',
      '',
    ]),
  ).toEqual(['variable M 1-4', 'method open 3-3']);
});
