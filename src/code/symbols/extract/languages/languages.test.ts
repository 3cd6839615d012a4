import { expect, test } from 'vitest';
import type { FileSymbols } from '../../file-symbols.ts';
import { createSymbolReader } from '../symbol-reader.ts';
import { symbolLanguages } from './index.ts';

const read = await createSymbolReader(symbolLanguages);

/** `kind name from-to <parent` and the marks: `+` exported, `~` prototype, `?` test. */
function definitionsOf({ definitions }: FileSymbols): string[] {
  return definitions.map(({ kind, name, from, to, parent, isExported, isPrototype, isTest }) => {
    const lines = from === to ? `${from}` : `${from}-${to}`;
    const owner = parent === undefined ? '' : ` <${definitions[parent]?.name}`;
    return `${kind} ${name} ${lines}${owner}${isExported ? ' +' : ''}${isPrototype ? ' ~' : ''}${isTest ? ' ?' : ''}`;
  });
}

/** `receiver.name/kind@inside` */
function referencesOf({ definitions, references }: FileSymbols): string[] {
  return references.map(({ name, kind, receiver, inside }) => {
    const before = receiver === undefined ? '' : `${receiver === '' ? '?' : receiver}.`;
    return `${before}${name}/${kind}${inside === undefined ? '' : `@${definitions[inside]?.name}`}`;
  });
}

interface Case {
  readonly language: string;
  readonly path: string;
  readonly text: string;
  readonly definitions: readonly string[];
  readonly references: readonly string[];
  readonly imports?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    language: 'typescript',
    path: 'src/pool.tsx',
    text: [
      "import type { Conn } from './conn';",
      "import React, { open as openConn } from './io';",
      'export { Conn };',
      "export * from './other';",
      '@sealed',
      'export class Pool<T extends Conn> extends Base<T> implements Closable {',
      '  #size = 1;',
      '  constructor(private readonly limit: number) { super(); }',
      '  acquire(host: string): T;',
      '  acquire(host: string, n = 1): T {',
      '    const { size, ...rest } = this.stats(rest);',
      '    for (const one of rest.list) if (one) openConn(one, { host, [size]: n });',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
      '    return <View pool={this.limit}>{`text ${n}`}</View>;',
      '  }',
      '  release = async (c: T) => { await c.close?.(); };',
      '}',
      'export interface Closable { close(): void; readonly open?: boolean }',
      'export type Id = string | Closable;',
      'export enum Mode { Slow, Fast = 2 }',
      'export const handlers = { start() {}, stop: () => 1, plain: 2 };',
      'const LIMIT = 5, other = /regex "quoted"/;',
      'namespace Inner { export const deep = LIMIT; }',
      'function outer() { function local(a: Id) { return a; } var v = local; return v; }',
      '',
    ].join('\n'),
    definitions: [
      'class Pool 5-16 +',
      'field #size 7 <Pool',
      'method constructor 8 <Pool +',
      'field limit 8 <Pool',
      'method acquire 9 <Pool + ~',
      'method acquire 10-14 <Pool +',
      'method release 15 <Pool +',
      'interface Closable 17 +',
      'method close 17 <Closable + ~',
      'field open 17 <Closable +',
      'type Id 18 +',
      'enum Mode 19 +',
      'constant Slow 19 <Mode +',
      'constant Fast 19 <Mode +',
      'constant handlers 20 +',
      'method start 20 <handlers +',
      'method stop 20 <handlers +',
      'constant LIMIT 21',
      'constant other 21',
      'module Inner 22',
      'constant deep 22 <Inner',
      'function outer 23',
      'function local 23 <outer',
    ],
    references: [
      'Conn/import',
      'React/import',
      'open/import',
      'Conn/other',
      'sealed/call@Pool',
      'Conn/type@Pool',
      'Base/type@Pool',
      'Closable/type@Pool',
      '?.size/other@acquire',
      'this.stats/call@acquire',
      'rest.list/other@acquire',
      'openConn/call@acquire',
      '?.host/other@acquire',
      'View/call@acquire',
      '?.pool/other@acquire',
      'this.limit/other@acquire',
      // The tag that closes.
      'View/other@acquire',
      'c.close/call@release',
      'Closable/type@Id',
      '?.plain/other@handlers',
      'LIMIT/other@deep',
      'Id/type@local',
      'local/other@outer',
    ],
    imports: [
      'Conn = Conn of ./conn',
      'React = default of ./io',
      'openConn = open of ./io',
      '* = * of ./other',
    ],
  },
  {
    language: 'typescript',
    path: 'src/broken.ts',
    text: `export function good(a: string) { return a; }
const x = {{{ ;
export class Late { run() {} }
`,
    definitions: ['function good 1 +', 'constant x 2', 'class Late 3 +', 'method run 3 <Late +'],
    references: [],
  },
  {
    language: 'javascript',
    path: 'lib/old.js',
    text: `const fs = require('fs');
const { join, dirname: up } = require('path');
function Pool(size) { this.size = size; }
Pool.prototype.acquire = function acquire(host) { var self = this; return fs.open(host, self.size); };
exports.open = async (path) => join(path, up(path));
module.exports = { Pool };
var text = 'function notHere() {}';
`,
    definitions: ['function Pool 3 +', 'method acquire 4', 'function open 5 +', 'variable text 7'],
    references: [
      'fs/import',
      'require/call',
      'join/import',
      'dirname/import',
      'require/call',
      'this.size/other@Pool',
      'Pool/other@acquire',
      'Pool.prototype/other@acquire',
      'fs/other@acquire',
      'fs.open/call@acquire',
      'self.size/other@acquire',
      'exports/other@open',
      'join/call@open',
      'up/call@open',
      'module/other',
      'module.exports/other',
      'Pool/other',
    ],
    imports: ['fs = * of fs', 'join = join of path', 'up = dirname of path'],
  },
  {
    language: 'python',
    path: 'app/pool.py',
    text: `import os.path as osp
from .base import Base, other as alias
LIMIT: int = 5
"""not a docstring"""
@decorated(limit=LIMIT)
class Pool(Base):
    """About."""
    size = 1
    def __init__(self, host, *rest, **named):
        self.host = host
        self.host = alias(host)
    @property
    async def first(self) -> "Conn":
        found = [item.name for item in self.items if item]
        return max(found, key=lambda x: helper(x))
def _private(a, /, b=LIMIT, *, c: Pool = None):
    global count
    count = 1
    with osp.open(a) as f, f:
        def inner(): return f"{c} {LIMIT!r}"
    return inner
`,
    definitions: [
      'constant LIMIT 3 +',
      'class Pool 5-15 +',
      'field size 8 <Pool +',
      'method __init__ 9-11 <Pool +',
      'field host 10 <Pool +',
      'method first 12-15 <Pool +',
      'function _private 16-21',
      'function inner 20 <_private',
    ],
    references: [
      'os/import',
      'path/import',
      'Base/import',
      'other/import',
      'decorated/call@Pool',
      '?.limit/other@Pool',
      'LIMIT/other@Pool',
      'Base/type@Pool',
      'self.host/other@__init__',
      'alias/call@__init__',
      'item.name/other@first',
      'self.items/other@first',
      '?.key/other@first',
      'helper/call@first',
      'LIMIT/other@_private',
      'Pool/type@_private',
      'osp/other@_private',
      'osp.open/call@_private',
      'LIMIT/other@inner',
      'inner/other@_private',
    ],
    imports: ['osp = * of os.path', 'Base = Base of .base', 'alias = other of .base'],
  },
  {
    language: 'go',
    path: 'pkg/pool.go',
    text: `package pool
import (
	"fmt"
	alias "example.com/a/go-b/v2"
)
const (
	A = iota
	B
)
var pool, other = New(), 1
type Pool[T any] struct {
	Size, max int
	inner
}
type Closer interface { Close() error }
func (p *Pool[T]) Acquire(host string, n ...int) (conn *Conn, err error) {
	for i, one := range n { fmt.Println(i, one, p.Size, host) }
	if x, ok := p.get(host); ok { return x, nil }
	return &alias.Conn{Host: host}, nil
}
func New() *Pool[int] { return func(a int) *Pool[int] { _ = a; return nil }(1) }
func TestPool(t *testing.T) { New() }
`,
    definitions: [
      'constant A 7 +',
      'constant B 8 +',
      'variable pool 10',
      'variable other 10',
      'struct Pool 11-14 +',
      'field Size 12 <Pool +',
      'field max 12 <Pool',
      'interface Closer 15 +',
      'method Close 15 <Closer + ~',
      'method Acquire 16-20 <Pool +',
      'function New 21 +',
      'function TestPool 22 + ?',
    ],
    references: [
      'New/call@pool',
      'inner/type@Pool',
      'Pool/type@Acquire',
      'Conn/type@Acquire',
      'fmt/other@Acquire',
      'fmt.Println/call@Acquire',
      'p.Size/other@Acquire',
      'p.get/call@Acquire',
      'alias/other@Acquire',
      'alias.Conn/type@Acquire',
      '?.Host/other@Acquire',
      'Pool/type@New',
      'Pool/type@New',
      'testing/other@TestPool',
      'testing.T/type@TestPool',
      'New/call@TestPool',
    ],
    imports: ['fmt = * of fmt', 'alias = * of example.com/a/go-b/v2'],
  },
  {
    language: 'rust',
    path: 'src/pool.rs',
    text: `use std::{fmt, io::{self, Read as R}};
pub struct Pool<'a, T> { pub size: usize, inner: &'a T }
#[derive(Debug)]
pub enum Mode { Slow, Fast(u8) }
pub trait Close { fn close(&self); fn twice(&self) { self.close(); self.close() } }
impl<'a, T: Clone> Pool<'a, T> {
    /// Opens.
    pub fn open(size: usize) -> Self { let limit = size; build!(limit, Other::make(size)); Pool { size, inner: todo() } }
}
impl<'a, T> Close for Pool<'a, T> { fn close(&self) { match self.mode { Mode::Fast(n) if n > 1 => drop(n), LIMIT => {}, _ => {} } } }
macro_rules! build { ($x:expr) => { $x }; }
const LIMIT: usize = 1;
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn works() { let p = Pool::<u8>::open(LIMIT); assert!(p.size > 0); }
}
`,
    definitions: [
      'struct Pool 2 +',
      'field size 2 <Pool +',
      'field inner 2 <Pool',
      'enum Mode 3-4 +',
      'constant Slow 4 <Mode +',
      'constant Fast 4 <Mode +',
      'trait Close 5 +',
      'method close 5 <Close + ~',
      'method twice 5 <Close +',
      'method open 8 <Pool +',
      'method close 10 <Pool +',
      'macro build 11 +',
      'constant LIMIT 12',
      'module tests 13-18 ?',
      'function works 16-17 <tests ?',
    ],
    references: [
      'std/other',
      'fmt/import',
      'io/other',
      'Read/import',
      'derive/other',
      'Debug/other',
      'self.close/call@twice',
      'self.close/call@twice',
      'Clone/type',
      'Pool/type',
      'build/call@open',
      'Other/other@open',
      'Other.make/call@open',
      'Pool/call@open',
      '?.inner/other@open',
      'todo/call@open',
      'Close/type',
      'Pool/type',
      'self.mode/other@close',
      'Mode/type@close',
      'Mode.Fast/call@close',
      'drop/call@close',
      'LIMIT/other@close',
      'cfg/other',
      'test/other',
      'test/other@tests',
      'Pool/type@works',
      'Pool.open/call@works',
      'LIMIT/other@works',
      'assert/call@works',
      'p.size/other@works',
    ],
    imports: ['fmt = fmt of std', 'io = * of std::io', 'R = Read of std::io', '* = * of super'],
  },
  {
    language: 'c',
    path: 'lib/pool.c',
    text: `#include "pool.h"
#define LIMIT 5 /* five */
#define MAX(a, b) ((a) > (b) ? (a) : pick(b))
typedef struct pool { int size; struct conn *first, *last; int (*cb)(int x); } pool_t;
typedef struct { int z; } anon_t;
enum mode { SLOW = 1, FAST };
API_EXTERN int pool_open(struct pool *p, const char *host);
static CURLcode acquire(pool_t *p, int n[])
{
  int i, *j = &i;
  for(i = 0; i < n[0]; i++)
    p->size += MAX(i, LIMIT);
  goto out;
out:
  return pool_open(p, "not(a, call)");
}
extern int shared;
int counters[3], *current = 0;
`,
    definitions: [
      'macro LIMIT 2 +',
      'macro MAX 3 +',
      'struct pool 4 +',
      'field size 4 <pool +',
      'field first 4 <pool +',
      'field last 4 <pool +',
      'field cb 4 <pool +',
      'type pool_t 4 +',
      'struct anon_t 5 +',
      'field z 5 <anon_t +',
      'enum mode 6 +',
      'constant SLOW 6 <mode +',
      'constant FAST 6 <mode +',
      'function pool_open 7 + ~',
      'function acquire 8-16',
      'variable shared 17 + ~',
      'variable counters 18 +',
      'variable current 18 +',
    ],
    references: [
      'pick/call@MAX',
      'conn/type@pool',
      'pool/type@pool_open',
      'CURLcode/type@acquire',
      'pool_t/type@acquire',
      'p.size/other@acquire',
      'MAX/call@acquire',
      'LIMIT/other@acquire',
      'pool_open/call@acquire',
    ],
    imports: ['* = * of pool.h'],
  },
  {
    language: 'cpp',
    path: 'src/pool.cc',
    text: `#include <vector>
namespace net::inner {
template <typename T, int N = 3>
class Pool final : public Base<T> {
 public:
  explicit Pool(int size) : size_(size) {}
  ~Pool();
  virtual T* Acquire(const std::string& host) const = 0;
  bool operator==(const Pool& other) const { return size_ == other.size_; }
  enum class Mode { kSlow, kFast };
 private:
  int size_ = N;
};
}
int Server::Run(int argc) { auto f = [&](int z) { return z + argc; }; for (auto& [k, v] : map) Use(k, v); return f(1); }
using Names = std::vector<Name>;
TEST(PoolTest, Opens) { Server s; s.Run(1); }
`,
    definitions: [
      'module inner 2-14 +',
      'class Pool 3-13 <inner +',
      'method Pool 6 <Pool +',
      'method ~Pool 7 <Pool + ~',
      'method Acquire 8 <Pool + ~',
      'method operator== 9 <Pool +',
      'enum Mode 10 <Pool +',
      'constant kSlow 10 <Mode +',
      'constant kFast 10 <Mode +',
      'field size_ 12 <Pool +',
      'method Run 15 +',
      'type Names 16 +',
      'function Opens 17 + ?',
    ],
    references: [
      'net/other@inner',
      'Base/type@Pool',
      '?.size_/other@Pool',
      'std/other@Acquire',
      'std.string/type@Acquire',
      'Pool/type@operator==',
      'size_/other@operator==',
      'other.size_/other@operator==',
      'Server/type@Run',
      'map/other@Run',
      'Use/call@Run',
      'std/other@Names',
      'std.vector/type@Names',
      'Name/type@Names',
      'TEST/other@Opens',
      'PoolTest/type@Opens',
      'Server/type@Opens',
      's.Run/call@Opens',
    ],
    imports: ['* = * of vector'],
  },
  {
    language: 'java',
    path: 'src/Pool.java',
    text: `package net.pool;
import java.util.List;
import static net.Base.open;
@Service("pool")
public class Pool<T> extends Base implements Closer {
  private static final int LIMIT = 5;
  protected List<T> items, spare;
  public Pool(int size) { super(size); this.items = open(size); }
  @Override
  public <U> U acquire(final String host, T... rest) throws Missing {
    for (T one : rest) { one.close(); }
    try (Conn c = new Conn(host)) { return run((x, y) -> x.merge(y, c)); } catch (Lost | Gone e) { return null; }
  }
  abstract void stop();
  enum Mode { SLOW, FAST { void go() {} } }
  record Host(String name, int port) {}
  @Test void works() { stop(); }
}
`,
    definitions: [
      'class Pool 4-18 +',
      'constant LIMIT 6 <Pool',
      'field items 7 <Pool +',
      'field spare 7 <Pool +',
      'method Pool 8 <Pool +',
      'method acquire 9-13 <Pool +',
      'method stop 14 <Pool ~',
      'enum Mode 15 <Pool',
      'constant SLOW 15 <Mode',
      'constant FAST 15 <Mode',
      'method go 15 <FAST',
      'class Host 16 <Pool',
      'field name 16 <Host',
      'field port 16 <Host',
      'method works 17 <Pool ?',
    ],
    references: [
      'List/import',
      'open/import',
      'Service/type@Pool',
      'Base/type@Pool',
      'Closer/type@Pool',
      'List/type@Pool',
      'this.items/other@Pool',
      'open/call@Pool',
      'Missing/type@acquire',
      'one.close/call@acquire',
      'Conn/type@acquire',
      'Conn/call@acquire',
      'run/call@acquire',
      'x.merge/call@acquire',
      'Lost/type@acquire',
      'Gone/type@acquire',
      'Test/type@works',
      'stop/call@works',
    ],
    imports: ['List = List of java.util', 'open = open of net.Base'],
  },
  {
    language: 'csharp',
    path: 'src/Pool.cs',
    text: `using System; using Io = System.IO;
namespace Net {
  [Serializable]
  public class Pool<T> : Base<T> where T : Conn {
    private readonly int size = 1;
    public string Host { get; set; }
    public Pool(int size) : base(size) { }
    public async Task<T> Acquire(string host, params int[] rest) { foreach (var one in rest) Use(one); var c = new Conn { Host = host }; return c?.Open(x => x.Id); }
    protected abstract void Stop();
    enum Mode { Slow, Fast }
    [Fact] public void Works() { int Local(int a) => a; Local(1); }
  }
}
`,
    definitions: [
      'module Net 2-13 +',
      'class Pool 3-12 <Net +',
      'field size 5 <Pool',
      'field Host 6 <Pool +',
      'method Pool 7 <Pool +',
      'method Acquire 8 <Pool +',
      'method Stop 9 <Pool + ~',
      'enum Mode 10 <Pool',
      'constant Slow 10 <Mode',
      'constant Fast 10 <Mode',
      'method Works 11 <Pool + ?',
      'function Local 11 <Works ?',
    ],
    references: [
      'Serializable/type@Pool',
      'Base/type@Pool',
      'Conn/type@Pool',
      'Task/type@Acquire',
      'Use/call@Acquire',
      'Conn/call@Acquire',
      '?.Host/other@Acquire',
      '?.Open/call@Acquire',
      'x.Id/other@Acquire',
      'Fact/type@Works',
      'Local/call@Works',
    ],
    imports: ['* = * of System', 'Io = * of System.IO'],
  },
  {
    language: 'php',
    path: 'src/Pool.php',
    text: [
      '<?php',
      'namespace App\\Net;',
      'use App\\Base as Root;',
      'use App\\{Conn, Host};',
      'abstract class Pool extends Root implements Closer {',
      '  use Counts;',
      '  const LIMIT = 5;',
      '  private ?Conn $first = null;',
      '  public function __construct(protected Host $host) { $this->first = self::LIMIT; }',
      '  public static function open(string $name, ...$rest): static { foreach ($rest as $one) { $x = new Conn($one); } return helper(fn($y) => $y->id, static::make($x)); }',
      '  abstract function stop();',
      '}',
      "enum Mode: string { case Slow = 's'; }",
      'function helper($a) { return "text $a helper()"; }',
      '',
    ].join('\n'),
    definitions: [
      'module App\\Net 2 +',
      'class Pool 5-12 +',
      'constant LIMIT 7 <Pool +',
      'field first 8 <Pool',
      'method __construct 9 <Pool +',
      'field host 9 <Pool +',
      'method open 10 <Pool +',
      'method stop 11 <Pool + ~',
      'enum Mode 13 +',
      'constant Slow 13 <Mode +',
      'function helper 14 +',
    ],
    references: [
      'Base/import',
      'Conn/import',
      'Host/import',
      'Root/type@Pool',
      'Closer/type@Pool',
      'Counts/type@Pool',
      'Conn/type@Pool',
      'Host/type@__construct',
      'this.first/other@__construct',
      'self.LIMIT/other@__construct',
      'Conn/call@open',
      'helper/call@open',
      'y.id/other@open',
      'static.make/call@open',
    ],
    imports: ['Root = Base of App', 'Conn = Conn of App', 'Host = Host of App'],
  },
  {
    language: 'ruby',
    path: 'lib/pool.rb',
    text: `require 'set'
module Net
  class Pool < Base::Root
    LIMIT = 5
    attr_reader :size, :host
    def initialize(host, n = 1, *rest, key: 2, &block)
      @host = host
      rest.each { |one, (a, b)| open(one, a) }
    end
    def self.open(name) = new(name)
    def full?; size > LIMIT; end
    private def hidden!; raise Full, "no #{host}"; end
  end
end
`,
    definitions: [
      'module Net 2-14 +',
      'class Pool 3-13 <Net +',
      'constant LIMIT 4 <Pool +',
      'field size 5 <Pool +',
      'field host 5 <Pool +',
      'method initialize 6-9 <Pool +',
      'field @host 7 <Pool +',
      'method open 10 <Pool +',
      'method full? 11 <Pool +',
      'method hidden! 12 <Pool',
    ],
    references: [
      'Base/type@Pool',
      'Base.Root/type@Pool',
      'rest.each/call@initialize',
      'open/call@initialize',
      'new/call@open',
      'size/other@full?',
      'LIMIT/other@full?',
      'Full/other@hidden!',
      'host/other@hidden!',
    ],
    imports: ['* = * of set'],
  },
  {
    language: 'bash',
    path: 'run.sh',
    text: `#!/bin/sh
. ./lib.sh
LIMIT=5
start() {
  local host=$1
  acquire "$host" "$LIMIT" # start
}
function stop { echo "start"; start; }
`,
    definitions: ['variable LIMIT 3 +', 'function start 4-7 +', 'function stop 8 +'],
    references: ['acquire/call@start', 'LIMIT/other@start', 'start/call@stop'],
    imports: ['* = * of ./lib.sh'],
  },
  {
    language: 'kotlin',
    path: 'src/Pool.kt',
    text: `package net
import net.base.Conn
import net.io as io
@Service
data class Pool<T : Conn>(val size: Int, name: String) : Base(name), Closer {
    private val items = mutableListOf<T>()
    companion object { const val LIMIT = 5 }
    override fun acquire(host: String, vararg rest: Int): T? { val (a, b) = split(host); return items.find { it.id == a }?.open(b) }
}
interface Closer { fun close() }
enum class Mode { SLOW, FAST }
fun String.shout() = uppercase()
@Test fun works() { Pool(1, "x").acquire("y") }
`,
    definitions: [
      'class Pool 4-9 +',
      'field size 5 <Pool +',
      'field items 6 <Pool',
      'constant LIMIT 7 <Pool +',
      'method acquire 8 <Pool +',
      'interface Closer 10 +',
      'method close 10 <Closer + ~',
      'enum Mode 11 +',
      'constant SLOW 11 <Mode +',
      'constant FAST 11 <Mode +',
      'function shout 12 +',
      'function works 13 + ?',
    ],
    references: [
      'Conn/import',
      'io/import',
      'Service/type@Pool',
      'Conn/type@Pool',
      'Base/type@Pool',
      'Closer/type@Pool',
      'mutableListOf/call@items',
      'split/call@acquire',
      'items/other@acquire',
      'items.find/call@acquire',
      'it.id/other@acquire',
      '?.open/call@acquire',
      'uppercase/call@shout',
      'Test/type@works',
      'Pool/call@works',
      '?.acquire/call@works',
    ],
    imports: ['Conn = Conn of net.base', 'io = io of net'],
  },
  {
    language: 'scala',
    path: 'src/Pool.scala',
    text: `package net
import net.base.{Conn => C, Host}
case class Pool[T](size: Int) extends Base[T] with Closer {
  private val items = List.empty[T]
  def acquire(host: String)(implicit c: C): Option[T] = items.find(x => x.id == host) match { case Some(y) => Use(y); case _ => missing }
}
object Pool { def apply(): Pool[Int] = new Pool(1) }
trait Closer { def close(): Unit }
`,
    definitions: [
      'class Pool 3-6 +',
      'field size 3 <Pool +',
      'field items 4 <Pool',
      'method acquire 5 <Pool +',
      'class Pool 7 +',
      'method apply 7 <Pool +',
      'trait Closer 8 +',
      'method close 8 <Closer + ~',
    ],
    references: [
      'Conn/import',
      'Host/import',
      'Base/type@Pool',
      'Closer/type@Pool',
      'List.empty/other@items',
      'C/type@acquire',
      'items/other@acquire',
      'items.find/call@acquire',
      'x.id/other@acquire',
      'Use/call@acquire',
      'missing/other@acquire',
      'Pool/type@apply',
      'Pool/call@apply',
    ],
    imports: ['C = Conn of net.base', 'Host = Host of net.base'],
  },
  {
    language: 'haskell',
    path: 'src/Pool.hs',
    text: `module Pool (open, Pool(..)) where
import qualified Data.Map as M
import Base (Conn, host)
data Pool = Pool { size :: Int, conns :: M.Map Int Conn } | Empty
class Closer a where
  close :: a -> IO ()
-- | Opens.
open :: Int -> Pool -> Int
open 0 _ = start 1
open n (Pool s cs) = let l = n + s in go l
  where go x = M.size cs + helper x
helper y = case y of
  z -> host z
`,
    definitions: [
      'type Pool 4 +',
      'constant Pool 4 <Pool',
      'field size 4 <Pool',
      'field conns 4 <Pool',
      'constant Empty 4 <Pool',
      'trait Closer 5-6',
      'method close 6 <Closer ~',
      'function open 8-11 +',
      'function go 11 <open',
      'function helper 12-13',
    ],
    references: [
      'Conn/import',
      'host/import',
      'M.Map/type@Pool',
      'Conn/type@Pool',
      'Pool/type',
      'start/call@open',
      'Pool/other@open',
      'go/call@open',
      'M.size/call@go',
      'helper/call@go',
      'host/call@helper',
    ],
    imports: ['M = * of Data.Map', 'Conn = Conn of Base', 'host = host of Base'],
  },
  {
    language: 'elixir',
    path: 'lib/pool.ex',
    text: [
      'defmodule Net.Pool do',
      '  @moduledoc "About def nothing"',
      '  alias Net.{Conn, Host}',
      '  import Base, only: [open: 1]',
      '  @limit 5',
      '  @type t :: %__MODULE__{}',
      '  def acquire(pool, n \\\\ 1)',
      '  def acquire(%Conn{id: id} = c, n) when n > 0 do',
      '    x = open(id)',
      '    Enum.map([x], fn y -> y + @limit + helper(c) end)',
      '  end',
      '  defp helper({:ok, v}), do: Host.name(v)',
      '  defmacro build(ast), do: ast',
      'end',
      '',
    ].join('\n'),
    definitions: [
      'module Net.Pool 1-14 +',
      'type t 6 <Net.Pool +',
      'function acquire 7-11 <Net.Pool +',
      'function helper 12 <Net.Pool',
      'macro build 13 <Net.Pool +',
    ],
    references: [
      'Net/type@Net.Pool',
      'Net.Conn/type@Net.Pool',
      'Net.Host/type@Net.Pool',
      'Base/type@Net.Pool',
      'Conn/type@acquire',
      'open/call@acquire',
      'Enum/type@acquire',
      'Enum.map/call@acquire',
      'limit/other@acquire',
      'helper/call@acquire',
      'Host/type@helper',
      'Host.name/call@helper',
    ],
    imports: ['Conn = * of Net.Conn', 'Host = * of Net.Host', '* = * of Base'],
  },
  {
    language: 'lua',
    path: 'pool.lua',
    text: `local base = require("base")
local M = {}
local LIMIT = 5
function M.open(host, ...) local n = select("#", ...); return base.connect(host, n + LIMIT) end
function M:close() self.conn:stop() end
local function helper(a) for k, v in pairs(a) do use(k, v) end end
M.start = function(x) return helper(x) end
return M
`,
    definitions: [
      'variable M 2',
      'variable LIMIT 3',
      'method open 4 +',
      'method close 5 +',
      'function helper 6',
      'method start 7 +',
    ],
    references: [
      'base/import',
      'M/other@open',
      'base/other@open',
      'base.connect/call@open',
      'LIMIT/other@open',
      'M/other@close',
      'self.conn/other@close',
      '?.stop/call@close',
      'use/call@helper',
      'M/other@start',
      'helper/call@start',
      'M/other',
    ],
    imports: ['base = * of base'],
  },
  {
    language: 'zig',
    path: 'src/pool.zig',
    text: `const std = @import("std");
pub const Pool = struct {
    size: u32,
    pub fn open(size: u32) !Pool { const n = size; if (find(n)) |x| use(x); return Pool{ .size = n }; }
};
const Mode = enum { slow, fast };
var shared: u32 = 1;
fn helper(p: *Pool) void { std.debug.print("{}", .{p.size}); }
test "opens" { _ = try Pool.open(1); }
`,
    definitions: [
      'struct Pool 2-5 +',
      'field size 3 <Pool +',
      'method open 4 <Pool +',
      'enum Mode 6',
      'constant slow 6 <Mode',
      'constant fast 6 <Mode',
      'variable shared 7',
      'function helper 8',
    ],
    references: [
      'std/import',
      'Pool/type@open',
      'find/call@open',
      'use/call@open',
      'Pool/call@open',
      '?.size/other@open',
      'Pool/type@helper',
      'std/other@helper',
      'std.debug/other@helper',
      '?.print/call@helper',
      'p.size/other@helper',
      'Pool/other',
      'Pool.open/call',
    ],
    imports: ['std = * of std'],
  },
  {
    language: 'swift',
    path: 'Sources/Pool.swift',
    text: `import Foundation
public final class Pool<T: Conn>: Base, Closer {
    private let limit: Int = 5, most = 6
    var first: T? { items.first }
    init?(_ host: String) async throws { try await open(host) }
    deinit { stop() }
    subscript(index: Int) -> T { items[index] }
    func acquire(_ host: String, from n: Int = 1) throws -> T { guard let c = find(host) else { throw Missing() }; return items.map { x in x.open(c, n) }[0] }
    static func != (a: Pool, b: Pool) -> Bool { a.limit != b.limit }
    func \`repeat\`() {}
}
protocol Closer { associatedtype Key; init(); func close(); var isOpen: Bool { get } }
enum Mode: Int { case slow = 1, fast }
extension Pool { func stop() { close() }; struct State {} }
extension Array.Index where Element: Closer { func closeAll() {} }
actor Cell { typealias Value = Int }
let shared = Pool(limit: 1)
`,
    definitions: [
      'class Pool 2-11 +',
      'field limit 3 <Pool',
      'field most 3 <Pool',
      'field first 4 <Pool +',
      'method init 5 <Pool +',
      'method deinit 6 <Pool +',
      'method subscript 7 <Pool +',
      'method acquire 8 <Pool +',
      'method != 9 <Pool +',
      'method repeat 10 <Pool +',
      'interface Closer 12 +',
      'type Key 12 <Closer + ~',
      'method init 12 <Closer + ~',
      'method close 12 <Closer + ~',
      'field isOpen 12 <Closer + ~',
      'enum Mode 13 +',
      'constant slow 13 <Mode +',
      'constant fast 13 <Mode +',
      'method stop 14 <Pool +',
      'struct State 14 <Pool +',
      'method closeAll 15 +',
      'class Cell 16 +',
      'type Value 16 <Cell +',
      'variable shared 17 +',
    ],
    references: [
      'Conn/type@Pool',
      'Base/type@Pool',
      'Closer/type@Pool',
      'items/other@first',
      'items.first/other@first',
      'open/call@init',
      'stop/call@deinit',
      'items/other@subscript',
      'find/call@acquire',
      'Missing/call@acquire',
      'items/other@acquire',
      'items.map/call@acquire',
      'x.open/call@acquire',
      'Pool/type@!=',
      'Pool/type@!=',
      'a.limit/other@!=',
      'b.limit/other@!=',
      'Pool/type',
      'close/call@stop',
      'Index/type',
      'Element/other',
      'Closer/type',
      'Pool/call@shared',
      '?.limit/other@shared',
    ],
    imports: ['* = * of Foundation'],
  },
];

test.each(CASES)('$language in $path', ({ language, path, text, definitions, references, imports = [] }) => {
  const found = read(text, path, language);
  if (found === undefined) throw new Error('nothing was read');
  expect(definitionsOf(found)).toEqual(definitions);
  expect(referencesOf(found)).toEqual(references);
  expect(found.imports.map(({ name, imported, module }) => `${name} = ${imported} of ${module}`)).toEqual(
    imports,
  );
});

test('reads the same from a Swift text every time, whatever was read before', () => {
  const text = Array.from(
    { length: 40 },
    (_, at) =>
      `struct S${at}: Codable {\n  let text = """\n  a\\(b) {\n  """\n  func f(_ x: Int?) -> [Int] { x.map { [$0] } ?? [] }\n}`,
  ).join('\n');
  const first = read(text, 'a.swift', 'swift');
  expect(first?.definitions).toHaveLength(120);
  read('class A { func open( {', 'b.swift', 'swift');
  read('int main(void) { return 0; }', 'c.c', 'c');
  expect(read(text, 'a.swift', 'swift')).toEqual(first);
});
