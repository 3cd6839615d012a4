/** A made-up secret: its text, the kind it must be named by, and what of the text is the secret. */
export interface Planted {
  readonly kind: string;
  /** A piece of text around the secret, as it is met in files and logs. */
  readonly text: string;
  /** The part that must be gone. */
  readonly secret: string;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALNUM = UPPER + LOWER + DIGITS;
const HEX = '0123456789abcdef';

let state = 20_261_114;

// Made at run time, always the same, so that no scanner finds a key in this repository.
function random(alphabet: string, length: number): string {
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += alphabet[(state >>> 8) % alphabet.length];
  }
  return text;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function plain(kind: string, secret: string): Planted {
  return { kind, text: secret, secret };
}

function inside(kind: string, before: string, secret: string, after = ''): Planted {
  return { kind, text: before + secret + after, secret };
}

function pem(label: string, lines: number): string {
  const body = Array.from(
    { length: lines },
    (_, i) => (i === 0 ? 'MII' : '') + random(`${ALNUM}+/`, i === 0 ? 61 : 64),
  );
  return [`-----BEGIN ${label}-----`, ...body, `${random(ALNUM, 20)}==`, `-----END ${label}-----`].join('\n');
}

const jwt = [
  base64('{"alg":"HS256","typ":"JWT"}'),
  base64('{"sub":"1234567890","name":"Ann"}'),
  random(ALNUM, 43),
]
  .map((part) => part.replace(/=+$/, ''))
  .join('.');

/** One or more secrets of every kind that the rules know. */
export const PLANTED: readonly Planted[] = [
  plain('github', `gh${'p_'}${random(ALNUM, 36)}`),
  plain('github', `gh${'s_'}${random(ALNUM, 36)}`),
  plain('github', `github${'_pat_'}${random(ALNUM, 22)}_${random(ALNUM, 59)}`),
  plain('github', `gh${'s_'}123456_${jwt}`),
  plain('gitlab', `gl${'pat-'}${random(ALNUM, 20)}`),
  plain('gitlab', `gl${'rt-'}${random(ALNUM, 20)}`),
  plain('slack', `xox${'b-'}${random(DIGITS, 12)}-${random(DIGITS, 12)}-${random(ALNUM, 24)}`),
  plain('slack', `xox${'c-'}${random(DIGITS, 12)}-${random(DIGITS, 12)}-${random(HEX, 64)}`),
  plain(
    'slack',
    `https://hooks.slack${'.com/services'}/T${random(UPPER, 8)}/B${random(UPPER, 8)}/${random(ALNUM, 24)}`,
  ),
  plain('stripe', `sk${'_live_'}${random(ALNUM, 24)}`),
  plain('stripe', `rk${'_test_'}${random(ALNUM, 99)}`),
  plain('npm', `npm${'_'}${random(ALNUM, 36)}`),
  plain('pypi', `pypi${'-AgE'}IcHlwaS5vcmc${random(ALNUM, 120)}`),
  plain('huggingface', `hf${'_'}${random(LOWER + UPPER, 34)}`),
  plain('openai', `sk${'-'}${random(ALNUM, 20)}T3Blbk${'FJ'}${random(ALNUM, 20)}`),
  plain('openai', `sk${'-proj-'}${random(`${ALNUM}_`, 74)}T3Blbk${'FJ'}${random(`${ALNUM}_`, 74)}`),
  plain('openai', `sk${'-'}${random(ALNUM, 48)}`),
  plain('anthropic', `sk${'-ant-api03-'}${random(`${ALNUM}_`, 93)}AA`),
  plain('anthropic', `sk${'-ant-oat01-'}${random(`${ALNUM}_`, 80)}`),
  plain('openrouter', `sk${'-or-v1-'}${random(HEX, 64)}`),
  plain('google', `AI${'za'}${random(ALNUM, 35)}`),
  plain('google', `GOC${'SPX-'}${random(ALNUM, 28)}x9`),
  plain('google', `ya${'29.'}a0${random(ALNUM, 120)}`),
  plain('google', `AQ${'.Ab'}${random(ALNUM, 50)}`),
  plain('aws', `AK${'IA'}${random(UPPER + DIGITS, 16)}`),
  inside('secret', 'aws_secret_access_key = ', random(`${ALNUM}/+`, 40)),
  inside('secret', '"SecretAccessKey": "', random(`${ALNUM}/+`, 40), '"'),
  plain('aws', `AS${'IA'}${random(UPPER + DIGITS, 16)},${random(`${ALNUM}/+`, 40)}`),
  inside(
    'api-key',
    'AccountName=store;Account' + 'Key=',
    `${random(`${ALNUM}/+`, 86)}==`,
    ';EndpointSuffix=core.windows.net',
  ),
  inside(
    'signature',
    'https://a.blob.core.windows.net/c?sv=2022-11-02&sig=',
    `${random(ALNUM, 43)}%3D`,
    '&se=2027',
  ),
  plain('azure', `${random(ALNUM, 3)}8Q${'~'}${random(ALNUM, 34)}`),
  plain('private-key', pem('RSA PRIVATE KEY', 12)),
  plain('private-key', pem('PRIVATE KEY', 24)),
  plain('private-key', pem('OPENSSH PRIVATE KEY', 6)),
  plain('private-key', pem('ENCRYPTED PRIVATE KEY', 8)),
  plain('private-key', pem('PGP PRIVATE KEY BLOCK', 8)),
  plain('private-key', base64(pem('EC PRIVATE KEY', 3))),
  plain('jwt', jwt),
  inside('bearer', 'Authorization: Bearer ', random(ALNUM, 40)),
  inside('basic-auth', 'Authorization: Basic ', base64(`ann:${random(ALNUM, 12)}`)),
  inside('basic-auth', '"auth": "', base64(`ann:${random(ALNUM, 12)}`), '"'),
  inside('url-password', 'https://ann:', random(ALNUM, 12), '@git.example.net/a.git'),
  inside('url-password', 'postgres://app:', 'tr0ub4dor', '@db.internal:5432/app?sslmode=require'),
  inside('url-password', 'mongodb+srv://root:', 'p%40ss', '@cluster0.mongodb.net/x'),
  inside('url-password', 'redis://:', random(ALNUM, 10), '@10.0.0.7:6379/0'),
  inside('url-password', 'amqp://guest:', 'gu3st', '@rabbit/'),
  inside('password', 'password=', 'hunter2'),
  inside('password', 'password: ', 'hunter2'),
  inside('password', 'DB_PASSWORD=', 'swordfish'),
  inside('password', 'export PGPASSWORD="', 'correct!horse', '"'),
  inside('password', '{"user":"ann","password":"', 'hunter2', '"}'),
  inside('password', "const dbPass = '", 'S3cure!pass', "';"),
  inside('password', 'Server=db;Uid=sa;Pwd=', 'S3cret99', ';'),
  inside('password', 'machine api.example.net login ann password ', 'qwerty12'),
  inside('password', 'machine api.example.net\n  login ann\n  password ', 'qwerty12'),
  inside('password', 'jdbc:sqlserver://db;User=sa;Password=', 'swordfish', ';encrypt=true'),
  inside('password', 'https://example.net/login?user=ann&password=', 'swordfish', '&next=1'),
  inside('password', "define('DB_PASSWORD', '", 'hunter2', "');"),
  inside('password', 'sshpass -p ', 'hunter2', ' ssh ann@example.net'),
  inside('password', 'mysql -h db -u root -p', 'hunter2', ' shop'),
  inside('password', 'redis-cli -h cache -a ', 'hunter2', ' ping'),
  inside('password', 'let password: &str = "', 'hunter2', '";'),
  inside('api-key', '#define API_KEY "', random(HEX, 32), '"'),
  inside('api-key', 'headers.set("X-Api-Key", "', random(ALNUM, 32), '")'),
  inside('secret', 'SECRET_KEY_BASE=', random(HEX, 128)),
  inside('bearer', 'Authorization: Token ', random(HEX, 40)),
  inside('bearer', '"authorization":"', random(ALNUM, 40), '"'),
  inside('signature', 'https://b.s3.amazonaws.com/k?X-Amz-Expires=300&X-Amz-Signature=', random(HEX, 64)),
  inside(
    'private-key',
    'Private-Lines: 2',
    `\n${random(`${ALNUM}+/`, 64)}\n${random(`${ALNUM}+/`, 64)}`,
    '\nPrivate-MAC: 1',
  ),
  inside('password', 'curl -u ann:', 'hunter2', ' https://example.net'),
  inside('password', 'mysqldump --password=', 'r00tme', ' shop'),
  inside('password', 'mytool --password ', 'r00tme', ' run'),
  inside('password', 'passphrase: "', 'correct-horse-battery-staple', '"'),
  inside('password', '<password>', 'hunter2', '</password>'),
  inside('password', 'the password is ', 'hunter2'),
  inside('password', '{"name":"DB_PASSWORD","value":"', 'hunter2', '"}'),
  inside('secret', 'export SESSION_SECRET=', random(HEX, 32)),
  inside('secret', 'client_secret: "', random(ALNUM, 24), '"'),
  inside('secret', 'JWT_SECRET=', 'keyboardcat'),
  inside('token', 'access_token=', random(ALNUM, 32), '&state=1'),
  inside('token', '"refreshToken":"', random(ALNUM, 40), '"'),
  inside('api-key', 'x-api-key: ', random(HEX, 32)),
  inside('api-key', 'apiKey: "', random(ALNUM, 32), '",'),
  plain('sendgrid', `S${'G.'}${random(ALNUM, 22)}.${random(ALNUM, 43)}`),
  plain('shopify', `shp${'at_'}${random(HEX, 32)}`),
  plain('digitalocean', `dop${'_v1_'}${random(HEX, 64)}`),
  plain('telegram', `${random('123456789', 10)}:A${'A'}${random(ALNUM, 33)}`),
  plain('discord', `https://discord.com/api/webhooks/${random('123456789', 18)}/${random(ALNUM, 68)}`),
  plain('mailchimp', `${random(HEX, 32)}-us12`),
  plain('terraform', `${random(ALNUM, 14)}.atlas${'v1.'}${random(ALNUM, 66)}`),
  plain('hashicorp-vault', `hv${'s.'}${random(ALNUM, 95)}`),
  plain('databricks', `da${'pi'}${random(HEX, 32)}`),
  plain('docker', `dckr${'_pat_'}${random(ALNUM, 27)}`),
  plain('figma', `fig${'d_'}${random(ALNUM, 43)}`),
  plain('cloudflare', `cf${'ut_'}${random(ALNUM, 40)}${random(HEX, 8)}`),
  plain('tailscale', `ts${'key-auth-'}${random(ALNUM, 16)}-${random(ALNUM, 32)}`),
  plain('grafana', `gl${'sa_'}${random(ALNUM, 32)}_${random(HEX, 8)}`),
  plain('grafana', `gl${'c_'}${base64(`{"o":"1","n":"${random(ALNUM, 40)}"}`)}`),
  plain('linear', `lin${'_api_'}${random(ALNUM, 40)}`),
  plain('notion', `nt${'n_'}${random(DIGITS, 11)}${random(ALNUM, 35)}`),
  plain(
    '1password',
    `ops${'_'}${base64(JSON.stringify({ email: 'a@b.c', secretKey: random(ALNUM, 82), k: { v: 'abc' } }))}`,
  ),
  plain('vercel', `vc${'p_'}${random(ALNUM, 24)}`),
  plain('groq', `gs${'k_'}${random(ALNUM, 52)}`),
  plain('replicate', `r8${'_'}${random(ALNUM, 37)}`),
  plain('age', `AGE-SECRET${'-KEY-1'}${random(UPPER + DIGITS, 58)}`),
  inside('secret', 'the aws secret key is ', random(`${ALNUM}/+`, 40), ' for the build account'),
  inside('url-password', 'postgres://app:', 'p@ss/w0rd', '@db.internal:5432/app'),
  inside('secret', "SECRET_KEY = 'django-", `insecure-${random(`${LOWER}${DIGITS}#&*!`, 40)}`, "'"),
  inside('password', 'password = "', 'correct horse battery staple', '"'),
  inside('password', 'das Passwort ist ', 'hunter2x', ', bitte merken'),
  plain('twilio', `S${'K'}${random(HEX, 32)}`),
  plain('mailgun', `key${'-'}${random(HEX, 32)}`),
  inside('discord', 'DISCORD_BOT=', `MTA${random(ALNUM, 21)}.G${random(ALNUM, 5)}.${random(ALNUM, 38)}`),
  inside('cookie', 'Cookie: theme=dark; session=', random(ALNUM, 40), '; lang=en'),
  inside('cookie', 'Set-Cookie: sid=', random(ALNUM, 32), '; HttpOnly'),
  inside('password', 'db.internal:5432:app:ann:', 'hunter2x'),
  plain('password-hash', `${'$'}6${'$'}${random(ALNUM, 16)}${'$'}${random(`${ALNUM}./`, 86)}`),
  plain('password-hash', `${'$'}2b${'$'}12${'$'}${random(`${ALNUM}./`, 53)}`),
  plain('github', base64(`gh${'p_'}${random(ALNUM, 36)}`)),
  inside('password', 'https://example.net/?next=%2F&data=user%3Dann%26password%3D', 'hunter2x', '%26a%3D1'),
  inside('password', 'wpa: psk="', 'correct9horse', '"'),
  inside('password', 'ConvertTo-SecureString "', 'P@ssw0rd!9', '" -AsPlainText -Force'),
  plain('facebook', `EA${'A'}${random(ALNUM, 120)}`),
  plain('twitter', `${'A'.repeat(22)}${random(ALNUM, 30)}%3D${random(ALNUM, 50)}`),
  plain('dropbox', `sl${'.'}${random(`${ALNUM}_`, 130)}`),
  plain('mapbox', `sk${'.eyJ'}${random(ALNUM, 60)}.${random(ALNUM, 22)}`),
  plain(
    'plaid',
    `access${'-production-'}${random(HEX, 8)}-${random(HEX, 4)}-${random(HEX, 4)}-${random(HEX, 4)}-${random(HEX, 12)}`,
  ),
  inside('bitcoin', 'bitcoin key: ', 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn'),
  inside(
    'seed-phrase',
    'seed phrase: ',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
  ),
  plain('aws', `IQo${'Jb3JpZ2luX2Vj'}${random(`${ALNUM}/+`, 300)}`),
  plain('aws', `Fwo${'GZXIvYXdzE'}${random(`${ALNUM}/+`, 300)}`),
  inside('azure', 'the azure devops PAT: ', random(`${LOWER}234567`, 52)),
  inside('password', 'jdbc:mysql://db:3306/app?user=ann&password=', 'SuperSecret1'),
  inside('password', 'variable "db_password" {\n  type = string\n  default = "', 'Sommer2026!', '"\n}'),
  inside('password', 'DB_PASSWORD=', 'letmein'),
  inside('password', 'DB_PASSWORD=', 'SuperSecretPassword123!'),
  inside('github', 'curl -H x-a:', `gh${'p_'}${random(ALNUM, 18)}\\\n${random(ALNUM, 18)}`, ' y'),
  inside('github', 'const a = "', `gh${'p_'}${random(ALNUM, 18)}" + "${random(ALNUM, 18)}`, '";'),
  inside('github', '"', `gh${'p_'}${random(ALNUM, 18)}\\u0041${random(ALNUM, 17)}`, '"'),
];
