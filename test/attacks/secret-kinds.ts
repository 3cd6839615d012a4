/** One made-up secret as it appears in a file or a log. */
export interface MadeUp {
  readonly text: string;
  /** The part that must not leak. */
  readonly secret: string;
}

/** Makes a new secret of its kind on each call; the same ones for the same seed. */
export type SecretMaker = (random: RandomText) => MadeUp;
/** This many characters of an alphabet. */
export type RandomText = (alphabet: string, length: number) => string;

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALNUM = UPPER + LOWER + DIGITS;
const URL_SAFE = `${ALNUM}_-`;
const HEX = '0123456789abcdef';
const BASE64 = `${ALNUM}+/`;

export function seededText(seed: number): RandomText {
  let state = seed >>> 0;
  return (alphabet, length) => {
    let text = '';
    while (text.length < length) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      text += alphabet[(state >>> 9) % alphabet.length];
    }
    return text;
  };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const bare = (secret: string): MadeUp => ({ text: secret, secret });
const between = (before: string, secret: string, after = ''): MadeUp => ({
  text: before + secret + after,
  secret,
});

/** A password as generators make them: letters and digits, with a symbol in the middle. */
const password = (r: RandomText, length = 16) =>
  `${r(ALNUM, length - 4)}${r('!#.+~', 1)}${r(DIGITS, 2)}${r(LOWER, 1)}`;

function pem(r: RandomText, label: string, lines: number): MadeUp {
  const body = Array.from({ length: lines }, () => r(BASE64, 64)).join('\n');
  const secret = `${body}\n${r(ALNUM, 22)}==`;
  return between(`-----BEGIN ${label}-----\n`, secret, `\n-----END ${label}-----`);
}

const jwt = (r: RandomText) =>
  [base64('{"alg":"HS256","typ":"JWT"}'), base64(`{"sub":"${r(DIGITS, 10)}"}`), r(URL_SAFE, 43)]
    .map((part) => part.replace(/=+$/, ''))
    .join('.');

// Tokens are assembled from parts, so that no scanner mistakes this file for a leak.
const githubToken = (r: RandomText) => `gh${'p_'}${r(ALNUM, 36)}`;
const WORDS =
  'abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic acquire across act action actor actress actual adapt add addict address adjust admit adult advance advice aerobic affair afford afraid again age agent agree'.split(
    ' ',
  );
const word = (r: RandomText) => WORDS[Number(r(DIGITS, 3)) % WORDS.length] ?? '';

/** Kinds of secrets as they occur in sources, settings, commands and logs. */
export const SECRET_KINDS: Readonly<Record<string, SecretMaker>> = {
  'aws access key id': (r) => between('id ', `AK${'IA'}${r(UPPER + DIGITS, 16)}`),
  'aws secret key (named)': (r) => between('aws_secret_access_key = ', r(BASE64, 40)),
  'aws secret key (bare, in words)': (r) => between('the aws secret key is ', r(BASE64, 40), ' for prod'),
  'aws session token': (r) => between('AWS_SESSION_TOKEN=', r(BASE64, 340)),
  'gcp api key': (r) => bare(`AI${'za'}${r(URL_SAFE, 35)}`),
  'gcp oauth client secret': (r) => bare(`GOC${'SPX-'}${r(ALNUM, 28)}`),
  'gcp service account json': (r) => {
    const body = Array.from({ length: 20 }, () => r(BASE64, 64)).join('\\n');
    return between(
      '{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\\n',
      body,
      '\\n-----END PRIVATE KEY-----\\n"}',
    );
  },
  'azure storage connection string': (r) =>
    between('DefaultEndpointsProtocol=https;AccountName=a;AccountKey=', `${r(BASE64, 86)}==`, ';'),
  'azure entra client secret': (r) => bare(`${r(ALNUM, 3)}8Q${'~'}${r(URL_SAFE, 34)}`),
  'azure sas url': (r) =>
    between('https://a.blob.core.windows.net/c?sv=2024-01-01&sig=', `${r(ALNUM, 43)}%3D`),
  'github pat classic': (r) => between('key ', githubToken(r)),
  'github fine-grained pat': (r) => bare(`github${'_pat_'}${r(ALNUM, 22)}_${r(ALNUM, 59)}`),
  'github oauth in url': (r) =>
    between('git clone https://x-access-token:', `gh${'o_'}${r(ALNUM, 36)}`, '@github.com/a/b'),
  'gitlab pat': (r) => bare(`gl${'pat-'}${r(URL_SAFE, 20)}`),
  'slack bot token': (r) => bare(`xox${'b-'}${r(DIGITS, 12)}-${r(DIGITS, 12)}-${r(ALNUM, 24)}`),
  'slack webhook': (r) =>
    between(
      '',
      `https://hooks.slack${'.com/services'}/T${r(UPPER + DIGITS, 8)}/B${r(UPPER + DIGITS, 8)}/${r(ALNUM, 24)}`,
    ),
  'stripe live key': (r) => bare(`sk${'_live_'}${r(ALNUM, 24)}`),
  'stripe restricted key': (r) => bare(`rk${'_live_'}${r(ALNUM, 99)}`),
  'openai project key': (r) => bare(`sk${'-proj-'}${r(URL_SAFE, 74)}T3Blbk${'FJ'}${r(URL_SAFE, 74)}`),
  'openai old key': (r) => bare(`sk${'-'}${r(ALNUM, 20)}T3Blbk${'FJ'}${r(ALNUM, 20)}`),
  'anthropic key': (r) => bare(`sk${'-ant-api03-'}${r(URL_SAFE, 93)}AA`),
  'npm token': (r) => between('//registry.example.com/:_authToken=', `npm${'_'}${r(ALNUM, 36)}`),
  'pypi token': (r) => bare(`pypi${'-AgE'}IcHlwaS5vcmc${r(URL_SAFE, 150)}`),
  jwt: (r) => bare(jwt(r)),
  'pem rsa': (r) => pem(r, 'RSA PRIVATE KEY', 24),
  'pem openssh': (r) => pem(r, 'OPENSSH PRIVATE KEY', 6),
  'pem ec': (r) => pem(r, 'EC PRIVATE KEY', 3),
  'pem encrypted': (r) => pem(r, 'ENCRYPTED PRIVATE KEY', 28),
  'pgp private block': (r) => {
    const body = Array.from({ length: 16 }, () => r(BASE64, 64)).join('\n');
    return between(
      '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n',
      `${body}\n=${r(BASE64, 4)}`,
      '\n-----END PGP PRIVATE KEY BLOCK-----',
    );
  },
  'postgres url': (r) => between('postgres://app:', r(ALNUM, 16), '@db.internal:5432/app'),
  'mysql url': (r) => between('mysql://root:', r(ALNUM, 12), '@localhost/app'),
  'mongodb+srv url': (r) => between('mongodb+srv://u:', r(ALNUM, 14), '@cluster0.example.net/db'),
  'redis url, no user': (r) => between('redis://:', r(ALNUM, 20), '@cache:6379/0'),
  'db url, password with @ and /': (r) =>
    between('postgres://app:', `${r(ALNUM, 6)}@${r(ALNUM, 4)}/${r(ALNUM, 4)}`, '@db.internal:5432/app'),
  '.env password': (r) => between('DB_PASSWORD=', password(r)),
  'django secret key': (r) =>
    between("SECRET_KEY = '", `django-insecure-${r(`${LOWER}${DIGITS}!@#%^&*(-_=+)`, 50)}`, "'"),
  'quoted password with spaces': (r) =>
    between('password = "', [word(r), word(r), word(r), word(r)].join(' '), '"'),
  'yaml password unquoted': (r) => between('  password: ', password(r, 12)),
  'password in prose': (r) => between('the password is ', password(r, 12), ', please change it'),
  'german prose': (r) => between('das Passwort lautet ', password(r, 12), ', bitte ändern'),
  'twilio auth token': (r) => between('TWILIO_AUTH_TOKEN=', r(HEX, 32)),
  'twilio api key': (r) => bare(`S${'K'}${r(HEX, 32)}`),
  sendgrid: (r) => bare(`S${'G.'}${r(URL_SAFE, 22)}.${r(URL_SAFE, 43)}`),
  mailgun: (r) => bare(`key${'-'}${r(HEX, 32)}`),
  'telegram bot': (r) => bare(`${r('123456789', 10)}:A${'A'}${r(URL_SAFE, 33)}`),
  'discord bot token': (r) =>
    between('discord bot: ', `MT${r(ALNUM, 22)}.G${r(ALNUM, 5)}.${r(URL_SAFE, 38)}`),
  'datadog api key (named)': (r) => between('DD_API_KEY=', r(HEX, 32)),
  digitalocean: (r) => bare(`dop${'_v1_'}${r(HEX, 64)}`),
  huggingface: (r) => bare(`hf${'_'}${r(LOWER + UPPER, 34)}`),
  vault: (r) => bare(`hv${'s.'}${r(URL_SAFE, 95)}`),
  atlassian: (r) => bare(`ATATT3${'xFfGF0'}${r(URL_SAFE, 170)}=${r('0123456789ABCDEF', 8)}`),
  'basic auth header': (r) => between('Authorization: Basic ', base64(`ann:${r(ALNUM, 14)}`)),
  'bearer header': (r) => between('Authorization: Bearer ', r(ALNUM, 40)),
  'cookie session': (r) => between('Cookie: theme=dark; session=', r(ALNUM, 40), '; lang=en'),
  'docker config auth': (r) =>
    between('{"auths":{"registry.example.com":{"auth":"', base64(`ann:${r(ALNUM, 20)}`), '"}}}'),
  sshpass: (r) => between('sshpass -p ', r(ALNUM, 14), ' ssh ann@host'),
  'mysql -p': (r) => between('mysql -u root -p', r(ALNUM, 14), ' app < dump.sql'),
  PGPASSWORD: (r) => between('PGPASSWORD=', r(ALNUM, 14), ' psql -h db app'),
  'curl -u': (r) => between('curl -u ann:', r(ALNUM, 14), ' https://example.net'),
  '.netrc': (r) => between('machine example.net\n  login ann\n  password ', r(ALNUM, 14)),
  '.pgpass': (r) => between('db.internal:5432:app:ann:', r(ALNUM, 14)),
  'age key': (r) => bare(`AGE-SECRET${'-KEY-1'}${r(UPPER + DIGITS, 58)}`),
  wireguard: (r) => between('[Interface]\nPrivateKey = ', `${r(BASE64, 43)}=`),
  'totp seed': (r) => between('otpauth://totp/ACME:ann?secret=', r(`${UPPER}234567`, 32), '&issuer=ACME'),
  'shadow hash': (r) =>
    between('root:', `${'$'}6${'$'}${r(ALNUM, 16)}${'$'}${r(`${ALNUM}./`, 86)}`, ':19000:0:99999:7:::'),
  'k8s secret base64': (r) => between('kind: Secret\ndata:\n  password: ', base64(r(ALNUM, 18)), '\n'),
  'github pat in base64': (r) => between('data: ', base64(githubToken(r))),
  'token split by \\ newline': (r) => between('TOKEN=', `gh${'p_'}${r(ALNUM, 18)}\\\n${r(ALNUM, 18)}`),
  'token split by string +': (r) =>
    between('const t = "', `gh${'p_'}${r(ALNUM, 18)}" + "${r(ALNUM, 18)}`, '";'),
  'json escaped password': (r) => between('"{\\"password\\":\\"', password(r, 14), '\\"}"'),
  '\\u escape inside token': (r) => between('"', `gh${'p_'}${r(ALNUM, 17)}\\u0041${r(ALNUM, 18)}`, '"'),
  'url-encoded password=': (r) =>
    between('https://example.net/login?data=user%3Dbob%26password%3D', r(ALNUM, 16), '%26x%3D1'),
  'query password': (r) => between('GET /login?user=bob&password=', r(ALNUM, 20), '&x=1'),
  'diff added line': (r) => between('-  password: old\n+  password: "', password(r, 14), '"'),
  'xml element': (r) => between('<password>', password(r, 14), '</password>'),
  'ini psk': (r) => between('psk=', r(ALNUM, 14)),
  'powershell SecureString': (r) =>
    between('ConvertTo-SecureString "', password(r, 14), '" -AsPlainText -Force'),
  'cli --token=': (r) => between('tool --token=', r(ALNUM, 32), ' run'),
  'cli --password value': (r) => between('tool --password ', password(r, 14), ' run'),
  'facebook token': (r) => bare(`EA${'A'}${r(ALNUM, 160)}`),
  'twitter bearer': (r) => bare(`${'A'.repeat(22)}${r(ALNUM, 24)}%2B${r(ALNUM, 30)}%3D${r(ALNUM, 20)}`),
  dropbox: (r) => bare(`sl${'.'}${r(URL_SAFE, 135)}`),
  'mapbox secret': (r) =>
    bare(`sk${'.'}${base64(`{"u":"ann","a":"${r(ALNUM, 25)}"}`).replace(/=+$/, '')}.${r(URL_SAFE, 22)}`),
  plaid: (r) => bare(`access${'-sandbox-'}${r(HEX, 8)}-${r(HEX, 4)}-${r(HEX, 4)}-${r(HEX, 4)}-${r(HEX, 12)}`),
  'bitcoin wif': (r) =>
    between('WIF: ', `${r('KL', 1)}${r('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 51)}`),
  'seed phrase': (r) => between('seed phrase: ', Array.from({ length: 12 }, () => word(r)).join(' ')),
  'aws sts token bare': (r) => bare(`IQo${'Jb3JpZ2luX2Vj'}${r(BASE64, 360)}`),
  'azure devops pat old': (r) => between('azure devops pat ', r(`${LOWER}234567`, 52)),
  'jdbc url password': (r) => between('jdbc:mysql://db:3306/app?user=ann&password=', password(r, 14)),
  'connection string Pwd': (r) => between('Server=db;Database=app;Uid=ann;Pwd=', r(ALNUM, 14), ';'),
  'terraform var': (r) =>
    between('variable "db_password" {\n  type    = string\n  default = "', password(r, 14), '"\n}'),
  'toml key': (r) => between('api_key = "', r(ALNUM, 32), '"'),
  'properties spring': (r) => between('spring.datasource.password=', r(ALNUM, 20)),
  'weak lower password env': () => between('DB_PASSWORD=', 'letmein'),
};

/** Passwords that people choose. */
export const EVERYDAY_PASSWORDS =
  'hunter2 P@ssw0rd Passw0rd password123 letmein qwerty123 SuperSecretPassword123! MyPassw0rd! Summer2026! admin123 changeme1 welcome1 iloveyou2 Tr0ub4dor&3 secret123 correct-horse-battery-staple s3cr3t S3cr3tKey! dragon99 Token2024!'.split(
    ' ',
  );

/** The forms they are written in. */
export const PASSWORD_FORMS: readonly ((password: string) => string)[] = [
  (it) => `DB_PASSWORD=${it}`,
  (it) => `PGPASSWORD=${it}`,
  (it) => `POSTGRES_PASSWORD="${it}"`,
  (it) => `ADMIN_PASSWORD='${it}'`,
  (it) => `MYSQL_ROOT_PASSWORD: ${it}`,
  (it) => `export SECRET_KEY=${it}`,
  (it) => `https://example.net/?user=a&password=${it}&b=1`,
  (it) => `jdbc:mysql://db/app?user=a&password=${it}`,
  (it) => `postgres://app:${it}@db:5432/app`,
  (it) => `Server=db;Password=${it};`,
  (it) => `password: ${it}`,
  (it) => `passwd=${it}`,
  (it) => `password = "${it}"`,
  (it) => `"password": "${it}"`,
  (it) => `<password>${it}</password>`,
  (it) => `tool --password=${it} run`,
  (it) => `tool --password ${it} run`,
  (it) => `curl -u ann:${it} https://example.net`,
  (it) => `machine example.net login ann password ${it}`,
  (it) => `the password is ${it}`,
];

/** Whether a line of the secret, or a dozen of its characters in a row, is in a text. */
export function leaksIn({ text, secret }: MadeUp, shown: string): boolean {
  const around = text.replace(secret, '\n');
  return secret.split('\n').some((line) => {
    const width = Math.min(12, line.length);
    if (width < 4) return false;
    for (let at = 0; at + width <= line.length; at += line.length > 40 ? 4 : 1) {
      const piece = line.slice(at, at + width);
      if (shown.includes(piece) && !around.includes(piece)) return true;
    }
    return false;
  });
}
