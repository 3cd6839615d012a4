import { looksRandom, tokenStart } from './characters.ts';
import type { Detector, Finding, Trigger } from './finding.ts';
import { presetFinding } from './preset.ts';

/** A detector for one sticky pattern that is tried `back` characters before its trigger. */
function matchAt(pattern: RegExp, kind: string, back = 0): Detector {
  return (text, at) => {
    const start = at - back;
    if (start < 0 || tokenStart(text, start) !== 'free') return undefined;
    pattern.lastIndex = start;
    return pattern.test(text) ? { start, end: pattern.lastIndex, kind } : undefined;
  };
}

// base64 of `{"` opens header and payload of a JSON web token; the signature may be missing or cut.
const jwt = matchAt(/eyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}(?:\.[\w-]{0,2000})?/y, 'jwt');

const awsId = matchAt(/(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/y, 'aws');
// A console export puts the secret key right after its id.
const AWS_PAIR = /[\s,;:|"']{1,6}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/y;

function awsKey(text: string, at: number): Finding | undefined {
  const id = awsId(text, at);
  if (id === undefined) return undefined;
  AWS_PAIR.lastIndex = id.end;
  const secret = AWS_PAIR.exec(text)?.[1];
  return secret !== undefined && looksRandom(secret) ? { ...id, end: AWS_PAIR.lastIndex } : id;
}

function slackWebhook(text: string, at: number): Finding | undefined {
  const from = at - 'https://'.length;
  return from < 0 ? undefined : presetFinding('slack', text, from, at + 160);
}

// Telegram: the bot's number, a colon, 35 characters that start with AA.
const TELEGRAM = [8, 9, 10].map((digits) =>
  matchAt(new RegExp(`[0-9]{${digits}}:AA[\\w-]{33}(?![\\w-])`, 'y'), 'telegram', digits),
);

function telegram(text: string, at: number): Finding | undefined {
  for (const detect of TELEGRAM) {
    const finding = detect(text, at);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

// A signed address works for anyone who has it.
const SIGNATURE = /(?<=[?&;](?:X-Amz-|X-Goog-)?)(?:sig|Signature)=([A-Za-z0-9%+/]{40,600}(?:=|%3[Dd])?)/y;

function signature(text: string, at: number): Finding | undefined {
  SIGNATURE.lastIndex = at;
  const value = SIGNATURE.exec(text)?.[1];
  if (value === undefined || !looksRandom(value)) return undefined;
  return { start: SIGNATURE.lastIndex - value.length, end: SIGNATURE.lastIndex, kind: 'signature' };
}

const entraSecret = matchAt(
  /[A-Za-z0-9_.~-]{3}[0-9]Q~[A-Za-z0-9_.~-]{31,34}(?![A-Za-z0-9_.~-])/y,
  'azure',
  3,
);

const DISCORD = /\/api\/webhooks\/[0-9]{15,21}\/([\w-]{60,80})/y;

function discordWebhook(text: string, at: number): Finding | undefined {
  DISCORD.lastIndex = at;
  const secret = DISCORD.exec(text)?.[1];
  return secret === undefined
    ? undefined
    : { start: DISCORD.lastIndex - secret.length, end: DISCORD.lastIndex, kind: 'discord' };
}

/** Kinds whose pattern says enough. */
const EXACT = new Set(['seed-phrase', 'azure']);

/** A detector for a pattern within a few words after its trigger, on the same line. */
function near(pattern: RegExp, kind: string): Detector {
  return (text, at) => {
    const line = text.slice(at, at + 160).split('\n', 1)[0] ?? '';
    const match = pattern.exec(line);
    const secret = match?.[1];
    if (match === null || secret === undefined || (!EXACT.has(kind) && !looksRandom(secret)))
      return undefined;
    const start = at + match.index + match[0].length - secret.length;
    return { start, end: start + secret.length, kind };
  };
}

const discordBot = near(/(?<![\w.-])([MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40})/, 'discord');
const azureToken = near(/(?<![\w])((?=(?:[a-z]*[2-7]){3})[a-z2-7]{52})(?![\w])/, 'azure');
const bitcoinKey = near(/(?<![\w])([5KL][1-9A-HJ-NP-Za-km-z]{50,51})(?![\w])/, 'bitcoin');
// Twelve to twenty-four words from a list that has none of the words that hold a sentence together.
const seedPhrase = near(
  /^(?:seed|mnemonic|recovery)[\w ]{0,12}[\s:="'\\]{1,12}((?:(?!(?:the|and|for|are|was) )[a-z]{3,8} ){11,23}(?!(?:the|and|for|are|was)\b)[a-z]{3,8})/i,
  'seed-phrase',
);
const twilio = matchAt(/SK[0-9a-f]{32}(?![0-9a-f])/y, 'twilio');
const plaid = matchAt(
  /access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/y,
  'plaid',
);
const passwordHash = matchAt(
  /\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{53}|[156y]\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,24}\$[./A-Za-z0-9]{22,90}|argon2(?:id|i|d)\$v=\d+\$[\w=,]+\$[\w+/]{10,90}\$[\w+/]{20,120})/y,
  'password-hash',
);

/** Triggers for secrets with a form of their own that is more than a telling start. */
export const KNOWN_TRIGGERS: readonly Trigger[] = [
  { word: 'eyJ', detect: jwt },
  ...['AKIA', 'ASIA', 'AROA', 'AIDA', 'ABIA', 'ACCA'].map((word) => ({ word, detect: awsKey })),
  { word: 'hooks.slack.com/services/', detect: slackWebhook },
  { word: ':AA', detect: telegram },
  { word: 'sig=', detect: signature },
  { word: 'Signature=', detect: signature },
  { word: '/api/webhooks/', detect: discordWebhook },
  // An application secret of Entra ID, and a personal token of Azure DevOps.
  ...[...'0123456789'].map((digit) => ({ word: `${digit}Q~`, detect: entraSecret })),
  { word: 'AZDO', detect: matchAt(/[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/y, 'azure', 76) },
  { word: '.atlasv1.', detect: matchAt(/[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}/y, 'terraform', 14) },
  { word: 'discord', anyCase: true, detect: discordBot },
  ...['azure', 'devops'].map((word): Trigger => ({ word, anyCase: true, detect: azureToken })),
  ...['bitcoin', 'privkey', 'private key', 'wif'].map(
    (word): Trigger => ({ word, anyCase: true, detect: bitcoinKey }),
  ),
  ...['seed', 'mnemonic', 'recovery phrase'].map(
    (word): Trigger => ({ word, anyCase: true, detect: seedPhrase }),
  ),
  ...[...'0123456789abcdef'].map((digit) => ({ word: `SK${digit}`, detect: twilio })),
  { word: 'key-', detect: matchAt(/key-[0-9a-f]{32}(?![0-9a-f])/y, 'mailgun') },
  { word: 'access-', detect: plaid },
  {
    word: 'A'.repeat(20),
    detect: matchAt(/A{20,24}(?=[A-Za-z0-9]{0,120}%)[A-Za-z0-9%]{60,160}/y, 'twitter'),
  },
  ...['$2a$', '$2b$', '$2y$', '$1$', '$5$', '$6$', '$y$', '$argon2'].map((word) => ({
    word,
    detect: passwordHash,
  })),
  { word: '-us', detect: matchAt(/[0-9a-f]{32}-us[0-9]{1,2}(?![\w-])/y, 'mailchimp', 32) },
];
