import { looksRandom, tokenStart } from './characters.ts';
import type { Detector, Trigger } from './finding.ts';
import { presetFinding } from './preset.ts';

/** A kind of token known by how it starts. */
interface Shape {
  readonly kind: string;
  readonly starts: readonly string[];
  /** Characters after the start that are enough, also where a token was cut short. */
  readonly least: number;
  /** What it is made of besides letters, digits, `_` and `-`. */
  readonly also?: '.' | '+/=';
}

const SHAPES: readonly Shape[] = [
  { kind: 'github', least: 20, starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'], also: '.' },
  {
    kind: 'gitlab',
    least: 18,
    starts: [
      'glpat-',
      'gldt-',
      'glrt-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'gloas-',
      'glsoat-',
      'glffct-',
    ],
    also: '.',
  },
  {
    kind: 'slack',
    least: 20,
    starts: [
      'xoxb-',
      'xoxp-',
      'xoxa-',
      'xoxo-',
      'xoxr-',
      'xoxs-',
      'xoxc-',
      'xoxd-',
      'xoxe-',
      'xoxe.',
      'xapp-',
    ],
    also: '.',
  },
  { kind: 'stripe', least: 16, starts: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'] },
  { kind: 'npm', least: 30, starts: ['npm_'] },
  { kind: 'pypi', least: 40, starts: ['pypi-AgE'] },
  { kind: 'huggingface', least: 24, starts: ['hf_', 'api_org_'] },
  { kind: 'openai', least: 20, starts: ['sk-', 'sess-'] },
  { kind: 'anthropic', least: 16, starts: ['sk-ant-'] },
  { kind: 'openrouter', least: 32, starts: ['sk-or-'] },
  { kind: 'groq', least: 30, starts: ['gsk_'] },
  { kind: 'google', least: 30, starts: ['AIza', 'ya29.', 'AQ.Ab', '1//0'], also: '.' },
  { kind: 'google', least: 24, starts: ['GOCSPX-'] },
  { kind: 'sendgrid', least: 40, starts: ['SG.'], also: '.' },
  { kind: 'shopify', least: 28, starts: ['shppa_', 'shpca_', 'shpat_', 'shpss_'] },
  { kind: 'grafana', least: 32, starts: ['glc_', 'glsa_'], also: '+/=' },
  { kind: 'linear', least: 28, starts: ['lin_api_', 'lin_oauth_'] },
  { kind: 'notion', least: 36, starts: ['ntn_'] },
  { kind: '1password', least: 60, starts: ['ops_ey'], also: '+/=' },
  { kind: 'hashicorp-vault', least: 24, starts: ['hvs.', 'hvb.', 'hvr.'] },
  { kind: 'vercel', least: 20, starts: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'] },
  { kind: 'databricks', least: 32, starts: ['dapi'] },
  { kind: 'docker', least: 24, starts: ['dckr_pat_', 'dckr_oat_'] },
  { kind: 'figma', least: 36, starts: ['figd_'] },
  { kind: 'cloudflare', least: 40, starts: ['cfk_', 'cfut_', 'cfat_'] },
  { kind: 'tailscale', least: 16, starts: ['tskey-'] },
  { kind: 'digitalocean', least: 40, starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'] },
  { kind: 'supabase', least: 32, starts: ['sbp_', 'sb_secret_'] },
  { kind: 'sentry', least: 40, starts: ['sntrys_', 'sntryu_'], also: '.' },
  { kind: 'postman', least: 40, starts: ['PMAK-'] },
  { kind: 'replicate', least: 32, starts: ['r8_'] },
  { kind: 'perplexity', least: 32, starts: ['pplx-'] },
  { kind: 'xai', least: 40, starts: ['xai-'] },
  { kind: 'nvidia', least: 40, starts: ['nvapi-'] },
  { kind: 'langsmith', least: 32, starts: ['lsv2_pt_', 'lsv2_sk_'] },
  { kind: 'pinecone', least: 40, starts: ['pcsk_'] },
  { kind: 'tavily', least: 24, starts: ['tvly-'] },
  { kind: 'atlassian', least: 24, starts: ['ATATT3', 'ATCTT3', 'ATBB'] },
  { kind: 'new-relic', least: 24, starts: ['NRAK-', 'NRII-'] },
  { kind: 'netlify', least: 32, starts: ['nfp_'] },
  { kind: 'heroku', least: 32, starts: ['HRKU-'] },
  { kind: 'rubygems', least: 40, starts: ['rubygems_'] },
  { kind: 'pulumi', least: 36, starts: ['pul-'] },
  { kind: 'planetscale', least: 28, starts: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'] },
  { kind: 'doppler', least: 36, starts: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'], also: '.' },
  { kind: 'dynatrace', least: 60, starts: ['dt0c01.', 'dt0s16.'], also: '.' },
  { kind: 'buildkite', least: 36, starts: ['bkua_'] },
  { kind: 'square', least: 22, starts: ['sq0atp-', 'sq0csp-'] },
  { kind: 'jfrog', least: 60, starts: ['AKCp'] },
  { kind: 'fly', least: 40, starts: ['fm2_', 'fo1_'] },
  { kind: 'age', least: 40, starts: ['AGE-SECRET-KEY-1'] },
  { kind: 'facebook', least: 80, starts: ['EAA'] },
  { kind: 'dropbox', least: 100, starts: ['sl.'] },
  { kind: 'mapbox', least: 50, starts: ['sk.eyJ'], also: '.' },
  // A session token that stands alone, and tokens of GitHub in base64.
  { kind: 'aws', least: 100, starts: ['IQoJb3JpZ2luX2Vj', 'FwoGZXIvYXdzE', 'FQoGZXIvYXdzE'], also: '+/=' },
  {
    kind: 'github',
    least: 40,
    starts: ['Z2hwX', 'Z2hvX', 'Z2h1X', 'Z2hzX', 'Z2hyX', 'Z2l0aHViX3BhdF'],
    also: '+/=',
  },
];

const MAX_TOKEN_CHARS = 1200;
const MAX_JOINED_CHARS = 200;
const BODIES = {
  '': new RegExp(`[\\w-]{8,${MAX_TOKEN_CHARS + 1}}`, 'y'),
  '.': new RegExp(`[\\w.-]{8,${MAX_TOKEN_CHARS + 1}}`, 'y'),
  '+/=': new RegExp(`[\\w+/=-]{8,${MAX_TOKEN_CHARS + 1}}`, 'y'),
};

function detector({ kind, least, also }: Shape, start: string): Detector {
  const body = BODIES[also ?? ''];
  const longerStarts = ALL_STARTS.filter((other) => other.length > start.length && other.startsWith(start));
  return (text, at) => {
    const hangs = tokenStart(text, at);
    // Short starts such as `sk-` also end ordinary words and file names (`disk-…`, `-sk-`).
    if (hangs === undefined || (hangs === 'joined' && start.length < 4)) return undefined;
    if (longerStarts.some((other) => text.startsWith(other, at))) return undefined;
    const bodyAt = at + start.length;
    body.lastIndex = bodyAt;
    const run = body.exec(text)?.[0].replace(/[.-]+$/, '');
    // What runs on and on is encoded data, in which any start turns up by chance.
    if (run === undefined || run.length > (hangs === 'joined' ? MAX_JOINED_CHARS : MAX_TOKEN_CHARS))
      return undefined;
    const joined = start.length < 4 ? undefined : joinedEnd(text, bodyAt + run.length, body);
    if (joined !== undefined) return { start: at, end: joined, kind };
    const end = bodyAt + run.length;
    const exact = presetFinding(kind, text, at, end);
    if (exact !== undefined) return exact;
    return run.length >= least && isTokenBody(run) ? { start: at, end, kind } : undefined;
  };
}

// A token in pieces: over a line that ends with a backslash, as strings that are added, or with an escaped character.
const JOINT =
  /(?:\\\r?\n|\\{3,15}n)[\s+\d→|]{0,12}|\\{0,7}["'][ \t]{0,2}\+[ \t]{0,2}\\{0,7}["']|\\{1,15}u00[2-7][0-9a-fA-F]/y;
const MAX_PIECES = 8;

/** The end of a token that continues after a joint; undefined if it is in one piece. */
function joinedEnd(text: string, from: number, body: RegExp): number | undefined {
  let end = from;
  for (let piece = 0; piece < MAX_PIECES; piece++) {
    JOINT.lastIndex = end;
    if (!JOINT.test(text)) break;
    body.lastIndex = JOINT.lastIndex;
    if (!body.test(text)) break;
    end = body.lastIndex;
  }
  return end === from ? undefined : end;
}

// Identifiers share some starts (`hf_hub_download_url`); a token is random or one long unbroken piece.
function isTokenBody(run: string): boolean {
  return looksRandom(run.slice(0, 80)) || /[A-Za-z0-9]{24}/.test(run);
}

const ALL_STARTS = SHAPES.flatMap((shape) => shape.starts);

/** Triggers for tokens with a telling start. */
export const TOKEN_TRIGGERS: readonly Trigger[] = SHAPES.flatMap((shape) =>
  shape.starts.map((word) => ({ word, detect: detector(shape, word) })),
);
