import { expect, test } from 'vitest';
import { readFrames } from './read-frames.ts';

/** Frames in short: `name in within @ path:line`. */
const framesOf = (text: string): string[] =>
  readFrames(text.split('\n')).frames.map(
    ({ name = '?', within, path = '?', line = '?' }) => `${name} < ${within.at(-1) ?? ''} @ ${path}:${line}`,
  );

test.each([
  [
    'Python',
    '  File "/srv/a/forms.py", line 12, in media\n    return x\n  File "/srv/a/widgets.py", line 145, in merge\n  File "t.py", line 1, in <module>',
    ['? <  @ t.py:1', 'merge <  @ /srv/a/widgets.py:145', 'media <  @ /srv/a/forms.py:12'],
  ],
  [
    'Java',
    '\tat com.google.gson.internal.bind.ReflectiveTypeAdapterFactory$Adapter.read(ReflectiveTypeAdapterFactory.java:220)\n\tat com.google.gson.Gson.<init>(Gson.java:9)\n\tat a.Main.lambda$run$0(Main.java:3)',
    [
      'read < Adapter @ ReflectiveTypeAdapterFactory.java:220',
      'Gson < gson @ Gson.java:9',
      'run < Main @ Main.java:3',
    ],
  ],
  ['Kotlin', '\tat io.app.PoolKt$drain$1.invokeSuspend(Pool.kt:31)', ['drain < PoolKt @ Pool.kt:31']],
  [
    'Go',
    'goroutine 1 [running]:\ngithub.com/spf13/cobra.(*Command).ExecuteC(0xc0001, {0x1, 0x2})\n\t/go/pkg/mod/github.com/spf13/cobra@v1.8.0/command.go:1068 +0x3bd\nmain.main()\n\t/home/me/app/main.go:9 +0x1d',
    [
      'ExecuteC < Command @ /go/pkg/mod/github.com/spf13/cobra@v1.8.0/command.go:1068',
      'main < main @ /home/me/app/main.go:9',
    ],
  ],
  [
    'Go on one line',
    'github.com/spf13/cobra.(*Command).ExecuteC(...)  command.go:1068',
    ['ExecuteC < Command @ command.go:1068'],
  ],
  [
    'Rust',
    '   3: tokio::runtime::task::Task::poll::{{closure}}\n             at src/runtime/task.rs:41:9\n   4: <core::Foo as Bar>::park::h0123456789abcdef\n             at ./src/park.rs:7:1',
    ['poll < Task @ src/runtime/task.rs:41', 'park < Bar @ ./src/park.rs:7'],
  ],
  [
    'JavaScript',
    '    at release (/srv/src/pool.ts:6:3)\n    at async Pool.drain (file:///srv/src/pool.js:9:1)\n    at new Pool (/srv/a.js:1:2)\n    at /srv/b.js:4:5\n    at Object.<anonymous> (/srv/c.js:1:1)',
    [
      'release <  @ /srv/src/pool.ts:6',
      'drain < Pool @ /srv/src/pool.js:9',
      'Pool <  @ /srv/a.js:1',
      '? <  @ /srv/b.js:4',
      'Object <  @ /srv/c.js:1',
    ],
  ],
  [
    'Ruby',
    "lib/puma/server.rb:88:in `block in handle_request': oops (RuntimeError)\n\tfrom lib/puma/pool.rb:9:in 'Puma::Pool#spawn'",
    ['handle_request <  @ lib/puma/server.rb:88', 'spawn < Pool @ lib/puma/pool.rb:9'],
  ],
  [
    'C#',
    '   at NLog.Targets.FileTarget.Write(LogEventInfo e) in /src/NLog/FileTarget.cs:line 77\n   at A.B.<ReadAsync>d__5.MoveNext() in /src/B.cs:line 3',
    ['Write < FileTarget @ /src/NLog/FileTarget.cs:77', 'ReadAsync < B @ /src/B.cs:3'],
  ],
  [
    'PHP',
    'PHP Fatal error: Uncaught Error: x in /app/src/Router.php:50\nStack trace:\n#0 /app/src/Kernel.php(20): App\\Router->match()\n#1 /app/index.php(3): App\\Kernel->handle()',
    [
      'match < Router @ /app/src/Router.php:50',
      'handle < Kernel @ /app/src/Kernel.php:20',
      '? <  @ /app/index.php:3',
    ],
  ],
  [
    'gdb',
    '#0  0x00007f in ngx_http_upstream_connect (r=0x1, u=0x2) at src/http/ngx_http_upstream.c:1523\n#1  ns::Pool::take (this=0x0) at pool.cpp:9',
    ['ngx_http_upstream_connect <  @ src/http/ngx_http_upstream.c:1523', 'take < Pool @ pool.cpp:9'],
  ],
  [
    'asan',
    '    #0 0x4f2a in ns::parse(char const*, int) /src/json/parse.cc:12:3\n    #1 0x4f2b in main /src/main.c:3',
    ['parse < ns @ /src/json/parse.cc:12', 'main <  @ /src/main.c:3'],
  ],
])('frames of %s are read, where it happened first', (_language, text, expected) => {
  expect(framesOf(text)).toEqual(expected);
});

test('prose and code are not frames', () => {
  expect(
    framesOf('It fails in version 3:12\nfoo.bar(baz)\nsee src/a.ts\nconst x = f(1)\n1: first step\nThe end.'),
  ).toEqual([]);
});
