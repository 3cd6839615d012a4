import { describe, expect, test } from 'vitest';
import { redact } from '../redact.ts';
import { PLANTED } from './planted.fixture.ts';

const MEGABYTE = 1_000_000;

function filled(piece: string): string {
  return piece.repeat(Math.ceil(MEGABYTE / piece.length)).slice(0, MEGABYTE);
}

// Text made to be slow: triggers without end, openings that never close, near misses of every rule.
const BOMBS: Readonly<Record<string, string>> = {
  letters: filled('a'),
  spaces: filled(' '),
  backslashes: filled('\\'),
  quotes: filled('"'),
  dashes: filled('-'),
  digits: filled('7'),
  base64: filled('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0'),
  'names without a value': filled('password='),
  'names and colons': filled('password:'),
  'names as values': filled('pwd=a1'),
  'environment names': filled('DB_PASSWORD='),
  'names in quotes': filled('"password":"'),
  'names with backslashes': filled('password\\\\\\\\\\\\\\"=\\\\\\\\\\\\\\"'),
  'a name and one endless value': `password="${filled('a1')}`,
  'a name and one endless bare value': `secret=${filled('a1B')}`,
  'names with spaces': filled(`password${' '.repeat(8)}`),
  'names in one name': filled('token_'),
  'names in one dashed name': filled('api-key-'),
  'tokens without a body': filled('ghp_'),
  'tokens joined by dashes': filled('ghp_a1-'),
  'app tokens without an end': filled('ghs_1_a.a.'),
  'short starts': filled('sk- '),
  'joined starts': filled('glpat-xoxb-'),
  'slack parts': `xoxb-${filled('a-')}`,
  'sendgrid parts': filled('SG.a.a_'),
  'web tokens without an end': filled('eyJhbGciOiJIUzI1NiJ9.'),
  'web tokens without dots': filled('eyJ-'),
  'begin lines': filled('-----BEGIN PRIVATE KEY-----'),
  'begin lines with bodies': filled(`-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n`),
  'end lines': filled(`${'A'.repeat(64)}\n-----END PRIVATE KEY-----`),
  'one endless key': `-----BEGIN PRIVATE KEY-----\n${filled(`${'A'.repeat(64)}\n`)}`,
  'encoded keys': filled('LS0tLS1CRUdJTi '),
  'bare keys': filled('b3BlbnNzaC1rZXktdjE '),
  addresses: filled('://'),
  'addresses with colons': filled('://a:'),
  'an address without an end': `https://${filled('a:b')}`,
  'basic headers': filled('Basic QUJDREVGR0g '),
  'bearer headers': filled('Bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa '),
  'user flags': filled('curl -u a:'),
  'user flags on one line': `curl ${filled('-u a:$ ')}`,
  'aws ids': filled('AKIA'),
  'aws pairs': filled('AKIAABCDEFGHIJKLMNOP,'),
  'data centres': filled('0123456789abcdef0123456789abcdef-us'),
  'telegram numbers': filled('123456789:AA'),
  'netrc lines': filled('machine a login b password '),
  'value pairs': filled('"name":"password","value":'),
  'type annotations': filled('password: a<b<c<d<e'),
  'escaped line ends': filled('\\npassword\\n=\\n'),
  'other scripts': filled('пароль=密码🔑'),
  'every secret': filled(PLANTED.map(({ text }) => text).join('\n')),
  'every secret, joined': filled(PLANTED.map(({ text }) => text).join('')),
};

describe('a megabyte made to be slow', () => {
  test.each(Object.entries(BOMBS))('%s', (_name, text) => {
    const start = process.cpuUsage();
    const clean = redact(text);
    const { user } = process.cpuUsage(start);
    expect(redact(clean) === clean).toBe(true);
    // In microseconds of this process. Ordinary text takes 5,000; this leaves room for a slow machine, none for a square.
    expect(user).toBeLessThan(2_500_000);
  });
});

describe('values made to be slow', () => {
  const bodies = [
    'a',
    'aA',
    'a-',
    'a.',
    'a1',
    'a_',
    '$a',
    '{',
    '<',
    'x',
    '0',
    '%s',
    'ab.cd[',
    '\\n',
    '=',
    ':a',
  ];
  const ends = ['', '!', '(', '.', '-', '0000!', ' ', '}', '"'];
  const places = [
    'password="',
    'password: ',
    'DB_PASSWORD=',
    '?token=',
    'apiKey: "',
    '://u:',
    '-u a:',
    'Bearer ',
    'Basic ',
  ];
  test('every body, end and place together', () => {
    const texts = places.flatMap((place) =>
      bodies.flatMap((body) => ends.map((end) => `curl ${place}${body.repeat(180)}${end} x`)),
    );
    const start = process.cpuUsage();
    for (const text of texts) redact(text);
    expect(process.cpuUsage(start).user).toBeLessThan(2_500_000);
  });
});
