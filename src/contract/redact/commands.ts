import type { Finding, Trigger } from './finding.ts';
import { NO_PASSWORD } from './headers.ts';

// The password is the last thing each of these matches.
const USER_FLAG = /(?:-u|--user)[ =]["']?[\w.@+-]{1,100}:([^\s"'`\\$]{3,200})/y;
const SSHPASS = /sshpass[ \t]{1,4}-p[ \t]{0,2}["']?([^\s"'\\$]{3,200})/y;
const MYSQL =
  /(?:mysql|mysqldump|mysqladmin|mariadb)[ \t][^\n|;&]{0,200}? -p["']?([^\s"'\\$-][^\s"'\\$]{2,200})/y;
const REDIS = /redis-cli[ \t][^\n|;&]{0,100}?-a[ \t]{1,4}["']?([^\s"'\\$-][^\s"'\\$]{2,200})/y;

// Parts of an address that are encoded: `password%3D…%26`.
const ENCODED = /(?:password|passwd|pwd|secret|token)%3[dD]([^\s%&"'\\]{4,200})/iy;
const SECURE_STRING = /SecureString(?:[ \t]{1,4}-String)?[ \t]{1,4}\\{0,7}["']([^"'\\\n$]{4,200})/iy;
// A line of a .pgpass file: host, port, database, user, password.
const PGPASS = /:(?:5432|5433|6432):[\w*-]{1,64}:[\w.*@-]{1,64}:([^\s"'\\,:]{4,200})/y;

function passwordOf(pattern: RegExp, text: string, at: number): Finding | undefined {
  pattern.lastIndex = at;
  const password = pattern.exec(text)?.[1];
  if (password === undefined || NO_PASSWORD.test(password)) return undefined;
  return { start: pattern.lastIndex - password.length, end: pattern.lastIndex, kind: 'password' };
}

/** `curl -u name:password`, but not `docker run -u 1000:1000`. */
function userFlag(text: string, at: number): Finding | undefined {
  if (!/(?:curl|wget|http)\b[^\n]*$/.test(text.slice(Math.max(0, at - 300), at))) return undefined;
  const finding = passwordOf(USER_FLAG, text, at);
  return finding !== undefined && /[^0-9]/.test(text.slice(finding.start, finding.end)) ? finding : undefined;
}

/** Triggers for passwords on command lines that no name announces. */
export const COMMAND_TRIGGERS: readonly Trigger[] = [
  { word: '-u ', detect: userFlag },
  { word: '--user', detect: userFlag },
  { word: 'sshpass', detect: (text, at) => passwordOf(SSHPASS, text, at) },
  { word: 'mysql', detect: (text, at) => passwordOf(MYSQL, text, at) },
  { word: 'mariadb', detect: (text, at) => passwordOf(MYSQL, text, at) },
  ...['password%3d', 'passwd%3d', 'pwd%3d', 'secret%3d', 'token%3d'].map(
    (word): Trigger => ({ word, anyCase: true, detect: (text, at) => passwordOf(ENCODED, text, at) }),
  ),
  { word: 'securestring', anyCase: true, detect: (text, at) => passwordOf(SECURE_STRING, text, at) },
  ...[':5432:', ':5433:', ':6432:'].map(
    (word): Trigger => ({ word, detect: (text, at) => passwordOf(PGPASS, text, at) }),
  ),
  { word: 'redis-cli', detect: (text, at) => passwordOf(REDIS, text, at) },
];
