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
// A console export puts the secret key right behind its id.
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

// A signed address works for whoever has it.
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
  { word: '-us', detect: matchAt(/[0-9a-f]{32}-us[0-9]{1,2}(?![\w-])/y, 'mailchimp', 32) },
];
