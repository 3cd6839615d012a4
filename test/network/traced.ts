import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The words before a command that record all network system calls of it and its children. */
export function tracedBy(file: string): readonly [string, ...string[]] {
  return ['strace', '-f', '-qq', '-A', '-s', '200', '-e', 'trace=network', '-o', file];
}

/** Throws if tracing is impossible: a test that sees no calls would prove nothing. */
export function requireStrace(): void {
  try {
    execFileSync('strace', ['-f', '-o', '/dev/null', 'true'], { stdio: 'pipe' });
  } catch (error) {
    throw new Error('strace cannot be used here. Install it (Debian: apt-get install strace).', {
      cause: error,
    });
  }
}

const LOOPBACK = /inet_addr\("127\.0\.0\.1"\)|inet_pton\(AF_INET6, "(?:::1|::ffff:127\.0\.0\.1)"/;

/** What a trace shows: all network calls, and those that name another machine. */
export function networkCalls(file: string): {
  readonly all: number;
  readonly connects: number;
  readonly away: readonly string[];
} {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const calls = lines.filter((line) => /^\d+ +\w+\(/.test(line));
  // Connecting, or sending without a connection, as in DNS queries; accepting connections does not count.
  const ways = calls.filter((line) => /^\d+ +(?:connect|sendto|sendmsg|sendmmsg)\(/.test(line));
  return {
    all: calls.length,
    connects: ways.filter((line) => line.includes('connect(')).length,
    away: ways.filter((line) => /sa_family=AF_INET6?\b/.test(line) && !LOOPBACK.test(line)),
  };
}
