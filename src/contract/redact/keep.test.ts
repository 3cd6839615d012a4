import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact } from '../redact.ts';
import { TOKEN_TRIGGERS } from './tokens.ts';

// What must come out as it went in: redacting too much makes answers useless.
const KEPT: readonly string[] = [
  '["kong.plugins.oauth2.secret"] = "kong/plugins/oauth2/secret.lua",',
  '["kong.plugins.oauth2.secret"] = "kong.plugins.oauth2.secret",',
  'password: "lib/auth2/password-form.tsx",',
  "secret = 'secret_v2.py'",
  'cmd.Env = append(env, "PWD="+dir)',
  'env["PWD="+dir] = "a1b2c3d4"',
  "return ['password' => 'required|confirmed'];",
  "'password' => 'hashed',",
  'func (a HTTPBasicAuth) correctPassword(account Account, plaintextPassword []byte) (bool, error) {',
  't.Fatalf("no authentication info returned by login with password from env var")',
  'const SQLITE_OnePass = 134217728',
  's3DisableExpressSessionAuthKey = "s3_disable_express_session_auth"',
  'oauth2ServiceAccountKey = "oauth2.google.serviceAccount"',
  '// SHOULD be `https://REDACTED:REDACTED@www.example.com/`.',
  's3: s3://access_key:secret_access_key@region/bucket_name',
  '/** `curl -u name:password`, but not `docker run -u 1000:1000`. */',
  'const password = getPassword()',
  "'password' => '--password='.$connection['password'],",
  'mnemonic: a word that helps people remember what each of these keys does here',
  'the secret is that nobody reads the manual before something breaks',
  'const password = await getPassword(user, 2);',
  'let token: string;',
  'token: string | undefined,',
  'apiKey: process.env.X',
  'apiKey: process.env.OPENAI_API_KEY_2,',
  `password: \${VAR}`,
  `password: "\${DB_PASSWORD}"`,
  "password: '{{ vault.password }}'",
  'password: $DB_PASSWORD',
  'PASSWORD=$(pass show db)',
  'PASSWORD="$1"',
  'export API_KEY=<your-api-key>',
  'API_KEY=your_api_key_here',
  'OPENAI_API_KEY=sk-...',
  `Authorization: Bearer \${token}`,
  "headers.Authorization = 'Bearer ' + accessToken2;",
  'Authorization: Bearer <token>',
  'Authorization: Basic realm',
  'basic authentication and authorization',
  'https://user:password@example.com/',
  `https://user:\${PASSWORD}@example.com/`,
  'postgres://localhost:5432/app',
  'git@github.com:owner/repository.git',
  'ssh://git@github.com:22/owner/repository.git',
  'http://127.0.0.1:4747/disk/i3/{node_id}',
  'https://example.com:8080/path@version/file',
  'npm install @types/node@20.19.43',
  '"@secretlint/secretlint-rule-1password": "13.0.7",',
  '"@inquirer/password": "^4.0.18",',
  '"password": "~3.4.x",',
  '"password": ">=1.0.0-beta.2",',
  'password: { type: "string", minLength: 8 }',
  '"password": { "type": "string" }',
  'password: z.string().min(8)',
  'password: "Enter your password"',
  'password: "required"',
  'password: "Passwort"',
  '<input type="password" name="password" autocomplete="current-password">',
  'if (password === confirmPassword) return',
  'def login(user, password=None, token=None):',
  'login(user=user, password=password1)',
  'self.password = password2',
  'password_hash: 5f4dcc3b5aa765d61d8327deb882cf99',
  '"input_tokens": 1234567, "output_tokens": 89012345',
  '"total_tokens":3074273,"max_tokens":128000',
  'next_page_token: "CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA"',
  'nextPageToken=EAAaHlBUOkNBVWlFRUl4TkRoRk5UWTNSakpC',
  'pad_token: "<pad>", eos_token: "</s>"',
  'primary_key=id foreign_key=user_id2',
  'key: "ArrowLeft"',
  'publicKey: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"',
  'secretName: my-tls-secret',
  'secretKeyRef: { name: db, key: password }',
  'PASS src/contract/redact.test.ts (12 tests) 340ms',
  '--- PASS: TestLogin2 (0.01s)',
  'ok 12 - pass: token2 is refreshed',
  'bypass=true8 compass: n0rth',
  'PWD=/home/ann/project2',
  'OLDPWD=/srv/data/v1.2',
  '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEabcdefghijkl\n-----END PUBLIC KEY-----',
  'text.includes("-----BEGIN PRIVATE KEY-----")',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8Z2b7Qm1yq4n0c1Wv7gq9 ann@laptop',
  'claude-opus-4-6 gpt-5.2-codex-mini gemini-3-pro-preview-06-05 claude-haiku-4-5-20251001',
  'toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL call_abc123def456ghi789jkl012',
  'req_011CQbqZ7kfCjVwRk3sT9xYz resp_68a1b2c3d4e5f60718293a4b5c6d7e8f',
  'hf_hub_download_with_retries npm_config_user_agent npm_package_devdependencies_typescript',
  'disk-usage-report-2026-11-14-final task-list-v2-with-subtasks-1234 sk-learn',
  'arn:aws:iam::123456789012:role/AdminRole us-east-1 s3://bucket/key',
  'sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==',
  'docker run -u 1000:1000 --user app:app image',
  'the password is required and the token is invalid',
  'password is 8 characters or longer',
  'sig=abc ?sig=short',
  'this.requestRefreshToken=t.requestRefreshToken??!0,this.configure()',
  'n.value?"report-icon--checklist-pass":"report-icon--checklist-fail"',
  'docker run -p 8080:80 -e MODE=test mysql:8 --port 3307',
  'mysql -h db -P 3306 -u root -p shop',
  "['password', 'token2', 'apiKey3'].forEach(hide)",
  'Authorization: AWS4-HMAC-SHA256',
  'authorization: required for every request',
  'Set-Password: Uint8Array',
];

describe('text that only looks like it', () => {
  test.each(KEPT)('%s', (text) => {
    expect(redact(text)).toBe(text);
    const escaped = JSON.stringify({ text: `a\n${text}\nb` });
    expect(redact(escaped)).toBe(escaped);
  });
});

const sentence = fc.constantFrom(
  (x: string) => x,
  (x: string) => `commit ${x}`,
  (x: string) => `"id":"${x}",`,
  (x: string) => `a\n${x}\nb`,
  (x: string) => `/srv/cache/${x}/index.js`,
  (x: string) => `${x.slice(0, 8)} ${x} #${x.length}`,
  (x: string) => JSON.stringify({ hash: x, next: [x] }),
);

function kept(name: string, value: fc.Arbitrary<string>): void {
  test(name, () => {
    fc.assert(
      fc.property(value, sentence, (x, place) => {
        expect(redact(place(x))).toBe(place(x));
      }),
      { numRuns: 300 },
    );
  });
}

const bytes = (min: number, max: number) => fc.uint8Array({ minLength: min, maxLength: max });

describe('random but harmless', () => {
  kept(
    'git hashes',
    bytes(20, 20).map((b) => Buffer.from(b).toString('hex')),
  );
  kept(
    'short hashes',
    bytes(4, 6).map((b) => Buffer.from(b).toString('hex')),
  );
  kept(
    'sha256',
    bytes(1, 8).map((b) => createHash('sha256').update(b).digest('hex')),
  );
  kept(
    'integrity hashes',
    bytes(64, 64).map((b) => `sha512-${Buffer.from(b).toString('base64')}`),
  );
  kept('UUIDs', fc.uuid());
  kept(
    'images',
    bytes(300, 3000).map((b) => `data:image/png;base64,iVBORw0KGgo${Buffer.from(b).toString('base64')}`),
  );
  kept(
    'web-safe base64',
    bytes(300, 3000)
      .map((b) => Buffer.from(b).toString('base64url'))
      // Its alphabet holds `_` and `-`: by chance it spells `-ghu_…`, which is a token to every reader.
      .filter((x) => !TOKEN_TRIGGERS.some(({ word }) => x.includes(word))),
  );
  kept('numbers', fc.double().map(String));
  kept(
    'dates',
    fc.date({ noInvalidDate: true }).map((d) => d.toISOString()),
  );
  kept('code identifiers', fc.stringMatching(/^[a-z]{2,8}([A-Z][a-z]{1,8}){0,5}$/));
  kept('constants', fc.stringMatching(/^[A-Z]{2,8}(_[A-Z]{1,8}){0,5}$/));
  kept('paths', fc.stringMatching(/^(\/[a-z_.-]{1,12}){1,8}\.(ts|go|py|md)$/));
  kept('tool-call ids', fc.stringMatching(/^(toolu|call|msg|req)_[A-Za-z0-9]{24}$/));
});

test('a megabyte of image stays as it is', () => {
  for (let i = 0; i < 8; i++) {
    const image = createHash('shake256', { outputLength: 750_000 }).update(`image ${i}`).digest('base64');
    const text = `{"data":"${image}","id":"${randomUUID()}"}`;
    expect(redact(text) === text).toBe(true);
  }
});

describe('code keeps its names', () => {
  const identifier = fc.stringMatching(/^[a-z]{2,10}([A-Z][a-z]{1,9}){0,3}$/);
  const name = fc.constantFrom(
    'password',
    'token',
    'secret',
    'apiKey',
    'accessToken',
    'clientSecret',
    'dbPassword',
  );
  const shape = fc.constantFrom(
    (n: string, v: string) => `const ${n} = ${v}();`,
    (n: string, v: string) => `${n}: ${v}.${v}.value,`,
    (n: string, v: string) => `${n} = ${v}[0]`,
    (n: string, v: string) => `  ${n}: ${v[0]?.toUpperCase()}${v.slice(1)};`,
    (n: string, v: string) => `f(${n}=${v}, other=${v})`,
    (n: string, v: string) => `${n}: process.env.${v.toUpperCase()}`,
    (n: string, v: string) => `${n}: \${${v}}`,
    (n: string, v: string) => `if (${n} == null || ${v}) {}`,
    (n: string, v: string) => `${n}: "{{ ${v} }}"`,
    (n: string, v: string) => `this.${n} = ${v};`,
  );
  test('whatever they are called', () => {
    fc.assert(
      fc.property(name, identifier, shape, (n, v, make) => {
        expect(redact(make(n, v))).toBe(make(n, v));
      }),
      { numRuns: 1000 },
    );
  });
});

test.each(['hunter2.js', 's3cretHouse/9.py', 'correct.horse.battery9', 'aX9/kQ2zT7/vB4mN8.lua'])(
  'a password is no path because it has dots, slashes or an ending: %s',
  (value) => expect(redact(`password = "${value}"`)).toBe('password = "[redacted:password]"'),
);
