import { looksRandom, looksScrambled } from './characters.ts';
import type { NameKind } from './names.ts';

/**
 * How a value follows its name: in quotes; in an environment line (`DB_PASS=x`); as a parameter (`?token=x`,
 * `;Pwd=x;`); in an element (`<password>x</password>`); right after an equals sign or a flag (`--password x`);
 * in a sentence (`the password is x`); or
 * loosely (`password: x`), where code looks the same.
 */
export type ValueForm = 'quoted' | 'environment' | 'parameter' | 'element' | 'glued' | 'spoken' | 'loose';

const FILLER = /^(?:[*•.#?:_-]+|[xX]{3,}|\[\][a-z]+\)?|(.)\1+|<.*|\{.*\}|\[.*\]|%.*%|\$\w+|@\w+@)$/;
const TEMPLATE = /\$\{|\$\w+(?:\[|->)|\$\(|\{\{|\}\}|<%|#\{|%\(\w+\)[sd]|\.\.\.|…|\[redacted:/;
/** In a long random value it is there by chance. */
const FORMAT = /^.{0,30}%[sdv]/;
const MADE_UP =
  /^(?:your|my|the|some|any|new|old|enter|insert|replace|change|example|sample|dummy|fake|mock|placeholder)[-_ ]?[a-z_ -]*$|[-_]here$|place.?holder|change.?me$|example|redacted|replace.?with/i;
const REFERENCE =
  /^(?:process\.env|os\.environ|import\.meta|(?:env|ENV|secrets|vars?|config|self|this|local|settings|args|opts|options|params|req|request|data)[.[])/;
const TYPE_NAME =
  /^(?:u?int[0-9]+|float[0-9]+|uint8array|utf-?8|sha-?[0-9]+|md5|base(?:16|32|58|64)(?:url)?|argon2\w*|bcrypt|pbkdf2\w*|scrypt|varchar[0-9]*)$/i;
/** The flag that a password is given with. */
const FLAG = /^--[a-z][\w-]*=?$/;
const PATH = /^(?:\.{0,2}|~)\/|^[A-Za-z]:[\\/]|^[a-z+]{2,12}:\/\//;
const MEMBER_CHAIN = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;
const KEYWORD = /pass|pwd|secret|token|credential|api.?key|[_-]key|key[_-]|key$/i;
/** A value that could be the name of a variable. */
const NAMELIKE = /^[A-Za-z$_][A-Za-z$_.:-]*$/;
const NUMBERED_NAME = /^[A-Za-z]+(?:[-_.][A-Za-z]+)*[-_.]?[0-9]{0,4}$/;
/** `s3_disable_express_session_auth`: words, one or two of them with a digit. */
const NAME_WITH_DIGITS =
  /^(?=(?:[^0-9]*[0-9]){1,2}[^0-9]*$)[A-Za-z0-9]{1,16}(?:[-_.][A-Za-z0-9]{1,16}){2,8}$/;
/** Rules for a field of a form: `required|confirmed`. */
const RULES = /^[a-z_]+(?:[|][a-z_]+(?::[\w,]*)?)+$/;
const VERSION_OR_DATE =
  /^(?:[\^~=v]|[<>]=?)?[0-9]+(?:\.[0-9x*]+)+(?:[-+][\w.+-]*)?$|^[0-9]{4}-[0-9]{2}-[0-9]{2}/;

const CALL = /^[A-Za-z_$][\w$.:]*[([]/;
const OPERATOR = /^[,;|&<>(){}[\].]|^\s[=|?&+*<>:%!]/;

// Words in the place of a password that are not passwords.
const NOT_SECRETS = new Set(
  `password passwd passwort secret token string text bytes boolean number object required optional hidden
  disabled enabled invalid incorrect missing expired default unknown error plain basic bearer oauth header cookie query
  body form input none null undefined true false nil empty test value user username login admin-password
  current-password new-password redacted masked varchar buffer confirmed hashed encrypted nullable from`.split(
    /\s+/,
  ),
);

/** Whether a value after a name of that kind is a secret, and not code, a placeholder or a label. */
export function isSecretValue(kind: NameKind, given: string, form: ValueForm, rest: string): boolean {
  // What was cut short is still a part of it.
  const value = given.endsWith('…') ? given.slice(0, -1) : given;
  // Nothing that long is chosen by a person.
  if (value.length >= 200 && !looksRandom(value.slice(0, 100))) return false;
  if (
    value.length < 4 ||
    VERSION_OR_DATE.test(value) ||
    !(/^[\x21-\x7e]+$/.test(value) || (kind === 'password' && form === 'quoted' && isSpacedPhrase(value))) ||
    TEMPLATE.test(value) ||
    (value.length < 40 && FORMAT.test(value)) ||
    FILLER.test(value)
  )
    return false;
  if (isFileOrModule(value)) return false;
  const random = looksRandom(value);
  if (!random && isOrdinary(value)) return false;
  const strong = kind === 'password' || kind === 'secret';
  if (form === 'quoted') return strong ? isPasswordLike(value, random) : isKeyLike(value, random);
  if (form === 'environment' || form === 'parameter')
    return strong ? !KEYWORD.test(value) || random || !NAMELIKE.test(value) : isKeyLike(value, random);
  if (form === 'spoken') return isMixed(value);
  // `a=b=c`: b is a name too.
  if (rest.startsWith('=') || (MEMBER_CHAIN.test(value) && !(random && /[0-9]/.test(value)))) return false;
  if (/^[,)?.([]/.test(rest) && /^[\w$.]+$/.test(value)) {
    return random && value.length >= 16 && !/^[([]/.test(rest);
  }
  if (form !== 'loose') return strong ? isMixed(value) : isKeyLike(value, random) && value.length >= 12;
  // After `password: x` the line ends or prose continues; after a variable or a type comes an operator.
  if (kind === 'password' && !OPERATOR.test(rest)) return isMixed(value);
  return random && value.length >= 16;
}

function isOrdinary(value: string): boolean {
  return (
    NOT_SECRETS.has(value.toLowerCase()) ||
    MADE_UP.test(value) ||
    REFERENCE.test(value) ||
    TYPE_NAME.test(value) ||
    CALL.test(value) ||
    FLAG.test(value) ||
    PATH.test(value) ||
    RULES.test(value)
  );
}

const FILE_ENDING =
  /\.(?:c|cc|cpp|cs|css|ex|exs|go|h|hpp|html?|java|jsx?|json|kt|lua|md|mjs|php|pl|py|rb|rs|scala|scss|sh|sql|svelte|swift|toml|tsx?|txt|vue|xml|ya?ml)$/;
/** A word of a path: letters, and a digit or two at its end. */
const PATH_WORD = /^@?[A-Za-z]+(?:[-_][A-Za-z]+)*[-_]?[0-9]{0,2}(?:[-_][A-Za-z]+)*$/;

/** `plugins/oauth2/secret.lua`, `secret_v2.py`, `plugins.oauth2.secret`: the place of code that is about secrets. */
function isFileOrModule(value: string): boolean {
  const ending = FILE_ENDING.exec(value)?.[0];
  const words = (ending === undefined ? value : value.slice(0, -ending.length)).split(/[/.]/);
  if (!words.every((word) => word.length <= 30 && PATH_WORD.test(word) && !looksScrambled(word)))
    return false;
  if (ending !== undefined && value.includes('/')) return true;
  return (ending !== undefined || words.length > 2) && KEYWORD.test(words.at(-1) ?? '');
}

/** `Passw0rd`, `secret123`: names have a digit or two at their end. */
const DIGITS_IN_WORD = /^[A-Za-z]+[0-9]+[A-Za-z]|^[A-Za-z]+[0-9]{3,}$/;

// What people choose most; as words of code they hardly follow `password`.
const COMMON = new Set(
  'letmein qwerty qwertz iloveyou sunshine princess football baseball superman batman starwars trustno1 hunter2 asdfgh passw0rd'.split(
    ' ',
  ),
);

/** Four words or more that do not make a sentence. */
function isSpacedPhrase(value: string): boolean {
  return /^[a-z]{3,}(?: [a-z]{3,}){3,7}$/.test(value) && !SENTENCE.test(value);
}

const SENTENCE =
  /\b(?:the|and|for|are|was|has|have|not|can|from|with|your|you|must|should|this|that|will|enter|please|least|field|value|new|old|characters|passwords?)\b/;

const PASSPHRASE = /^[a-z]{3,}(?:-[a-z]{3,}){3,5}$/;

// One lower-case word can be a password, and four joined ones; a capitalised one is a label, others an identifier.
function isPasswordLike(value: string, random: boolean): boolean {
  if (random || /[0-9]/.test(value) || looksScrambled(value) || PASSPHRASE.test(value) || value.includes(' '))
    return true;
  if (/^[a-z]+$/.test(value)) return value.length >= 6 && !KEYWORD.test(value);
  if (/^[A-Za-z]+(?:[-_.:/]+[A-Za-z]+)*$/.test(value)) return false;
  return !(/^[\w.]+$/.test(value) && KEYWORD.test(value));
}

function isKeyLike(value: string, random: boolean): boolean {
  if (value.length < 8 || !/^[\w.+/=~%:@-]+$/.test(value)) return false;
  if (random || looksScrambled(value)) return true;
  return (
    /[0-9]/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !NUMBERED_NAME.test(value) &&
    !NAME_WITH_DIGITS.test(value)
  );
}

// Letters with digits or signs among them, and not a variable's name.
function isMixed(value: string): boolean {
  if (COMMON.has(value.toLowerCase()) || PASSPHRASE.test(value) || looksScrambled(value)) return true;
  if (
    value.length < 6 ||
    (/^[\w$:=-]+$/.test(value) && KEYWORD.test(value) && !DIGITS_IN_WORD.test(value) && !looksRandom(value))
  )
    return false;
  return /[A-Za-z]/.test(value)
    ? /[^A-Za-z_.:/-]/.test(value)
    : value.length >= 8 || /[^0-9.:/-]/.test(value);
}
