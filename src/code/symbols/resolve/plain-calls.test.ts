import { realpathSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeFiles } from '../../../../test/fixtures/code/made-tree.ts';
import { type OpenedCode, openedCode } from '../../../../test/fixtures/code/open-code.ts';
import { temporaryFolder } from '../../../../test/support.ts';
import { languageOf } from '../../languages.ts';
import { symbolLanguages } from '../extract/languages/index.ts';

/** Sources in which `helper` is called on each line that ends with a mark, always from another function. */
const SOURCES: Readonly<Record<string, string>> = {
  'a.ts': `function helper(x: number): number { return x; }
async function other(y: number) {
  helper(y); // call
  if (!helper(y)) return -helper(y); // call
  await helper(y); // call
  return [helper(y), other(helper(y))]; // call
}
`,
  'a.js': `function helper(x) { return x; }
async function other(y) {
  helper(y); // call
  if (!helper(y)) return -helper(y); // call
  await helper(y); // call
  return other(helper(y)); // call
}
`,
  'a.py': `def helper(x):
    return x

async def other(y):
    helper(y)  # call
    if not helper(y):  # call
        return -helper(y)  # call
    await helper(y)  # call
    return other(helper(y))  # call
`,
  'a.go': `package a

func helper(x int) int { return x }

func other(y int) int {
	helper(y) // call
	if !helper(y) { // call
		return -helper(y) // call
	}
	go helper(y) // call
	defer helper(y) // call
	return other(helper(y)) // call
}
`,
  'a.rs': `fn helper(x: i32) -> i32 { x }

async fn other(y: i32) -> i32 {
    helper(y); // call
    if !helper(y) { return -helper(y); } // call
    helper(y).await; // call
    helper(y)?; // call
    println!("{}", helper(y)); // call
    other(helper(y)) // call
}
`,
  'A.java': `class A {
  int helper(int x) { return x; }
  int other(int y) {
    helper(y); // call
    if (!helper(y)) return -helper(y); // call
    return other(helper(y)); // call
  }
}
`,
  'a.c': `static int helper(int x) { return x; }
int other(int y) {
  helper(y); // call
  if (!helper(y)) return -helper(y); // call
  (void)helper(y); // call
  return other(helper(y)); // call
}
`,
  'a.cpp': `static int helper(int x) { return x; }
int other(int y) {
  helper(y); // call
  if (!helper(y)) return -helper(y); // call
  return other(helper(y)); // call
}
`,
  'a.cu': `__device__ int helper(int x) { return x; }
__global__ void other(int y) {
  helper(y); // call
  if (!helper(y)) other(-helper(y)); // call
}
`,
  'A.cs': `class A {
  int Helper(int x) { return x; }
  async Task<int> Other(int y) {
    Helper(y); // call
    if (!Helper(y)) return -Helper(y); // call
    await Helper(y); // call
    return Other(Helper(y)); // call
  }
}
`,
  'a.rb': `class A
  def helper(x)
    x
  end

  def other(y)
    helper(y) # call
    return -helper(y) if !helper(y) # call
    return 1 unless not helper(y) # call
    other(helper(y)) # call
  end
end
`,
  'a.php': `<?php
function helper($x) { return $x; }
function other($y) {
  helper($y); // call
  if (!helper($y)) return -helper($y); // call
  @helper($y); // call
  return other(helper($y)); // call
}
`,
  'a.kt': `class A {
    fun helper(x: Int): Boolean = true
    fun other(y: Int): Boolean {
        helper(y) // call
        if (!helper(y)) return true // call
        val n = -helper(y) // call
        if (!this.helper(y)) return true // call
        return y > 0 && other(helper(y)) // call
    }
}
`,
  'a.swift': `class A {
    func helper(_ x: Int) -> Bool { true }
    func other(_ y: Int) -> Bool {
        helper(y) // call
        if !helper(y) { return true } // call
        guard helper(y) else { return false } // call
        if !self.helper(y) { return true } // call
        return y > 0 && other(helper(y)) // call
    }
}
`,
  'a.scala': `object A {
  def helper(x: Int): Boolean = true
  def other(y: Int): Boolean = {
    helper(y) // call
    if (!helper(y)) return true // call
    val n = -helper(y) // call
    other(helper(y)) // call
  }
}
`,
  'a.lua': `local function helper(x) return x end
local function other(y)
  helper(y) -- call
  if not helper(y) then return -helper(y) end -- call
  return other(helper(y)) -- call
end
`,
  'a.ex': `defmodule A do
  def helper(x), do: x

  def other(y) do
    helper(y) # call
    y |> helper() # call
    if !helper(y), do: -helper(y) # call
    unless not helper(y), do: 1 # call
    A.helper(y) # call
    __MODULE__.helper(y) # call
    other(helper(y)) # call
  end
end
`,
  'a.hs': `module A where

helper :: Int -> Int
helper x = x

other :: Int -> Int
other y = helper y -- call

third y = other (negate (helper y)) -- call
`,
  'a.sh': `helper() { echo "$1"; }
other() {
  helper 1 # call
  if ! helper 2; then return; fi # call
  local x="$(helper 3)" # call
  helper 4 | other # call
}
`,
  'a.zig': `fn helper(x: i32) i32 {
    return x;
}

fn other(y: i32) i32 {
    _ = helper(y); // call
    if (!helper(y)) return -helper(y); // call
    try helper(y); // call
    return other(helper(y)); // call
}
`,
};

const never = new AbortController().signal;
let root = '';
let opened: OpenedCode;
beforeAll(async () => {
  root = realpathSync(temporaryFolder());
  opened = await openedCode({ home: temporaryFolder() });
  // Each in a folder of its own: names of one program are not those of another.
  for (const [path, text] of Object.entries(SOURCES)) writeFiles(root, { [`${path}.d/${path}`]: text });
});
afterAll(() => opened.close(false));

test('every language has a source here', () => {
  const covered = new Set(Object.keys(SOURCES).map((path) => languageOf(path)));
  expect([...symbolLanguages].filter((language) => !covered.has(language))).toEqual([]);
});

test.each(Object.entries(SOURCES))(
  '%s: a plain call from another function is a caller',
  async (path, text) => {
    const { tree } = opened.code.trees.at(root);
    // A question does not wait for all files on a busy machine.
    await opened.code.symbols.build(tree, never);
    const { value } = await opened.code.symbols.ask(
      tree,
      { files: () => true },
      never,
      async ({ rows, references }) => {
        const named = [
          ...(await rows.definitionsNamed('helper')),
          ...(await rows.definitionsNamed('Helper')),
        ];
        const found = named.find((each) => each.path === `${path}.d/${path}`);
        if (found === undefined) throw new Error(`${path} does not define it`);
        return references.of(found);
      },
    );
    const calls = value.certain.filter((each) => each.kind === 'call' && each.path.startsWith(path));
    const marked = text.split('\n').flatMap((line, at) => (/ call$/.test(line) ? [at + 1] : []));
    expect([...new Set(calls.map(({ line }) => line))]).toEqual(marked);
  },
);
