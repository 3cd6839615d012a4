/** What the name in front of a value says about it. */
export type NameKind = 'password' | 'secret' | 'token' | 'api-key';

const PASSWORD = /(?:passw(?:or)?d|passwort|passphrase|passcode|(?:^|[^A-Za-z])(?:pass|pwd|psk))$/i;
const PASSWORD_HUMP = /[a-z](?:Pass|Pwd)$/;
const SECRET = /secret(?:s|[_-]?(?:access[_-]?)?key(?:[_-]?base)?|[_-]?token|[_-]?value)?$/i;
// `key` alone names anything; with one of these in front it names a credential.
const KEY =
  /(?:api|access|account|auth|encryption|signing|master|service|shared|private|storage|subscription|admin|deploy|webhook|application|app|hmac|session|license|root)[_-]?key$/i;
// Tokens that are places in a list or pieces of text, and keys that are meant to be seen.
const HARMLESS =
  /(?:page|next|prev|previous|continuation|continue|sync|cursor|pad|eos|bos|unk|mask|sep|cls|stop|start|end|special|image|last|first|public|publishable|design|lookahead|current)[_-]?(?:token|key)$|(?:by|com|first|second|no|one|two|multi|single|render)[_-]?pass$/i;

const MAX_REMEMBERED_NAMES = 4000;
const known = new Map<string, NameKind | undefined>();

/** What a whole name (`DB_PASSWORD`, `x-api-key`, `clientSecret`) says its value is, if it is a credential. */
export function nameKind(name: string): NameKind | undefined {
  // Field names repeat a million times in a log; the patterns run once for each.
  if (known.has(name)) return known.get(name);
  if (known.size >= MAX_REMEMBERED_NAMES) known.clear();
  const kind = judge(name.replace(/[0-9]{1,2}$/, ''));
  known.set(name, kind);
  return kind;
}

function judge(name: string): NameKind | undefined {
  if (HARMLESS.test(name)) return undefined;
  if (PASSWORD.test(name) || PASSWORD_HUMP.test(name)) return 'password';
  if (SECRET.test(name)) return 'secret';
  if (KEY.test(name)) return 'api-key';
  return /token$/i.test(name) ? 'token' : undefined;
}
