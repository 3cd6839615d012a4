import { aider } from './aider/index.ts';
import { amp } from './amp/index.ts';
import { claudeCode } from './claude-code/index.ts';
import { cline } from './cline/index.ts';
import { codex } from './codex/index.ts';
import { copilot } from './copilot/index.ts';
import { crush } from './crush/index.ts';
import { cursor } from './cursor/index.ts';
import { droid } from './droid/index.ts';
import { gemini } from './gemini/index.ts';
import { goose } from './goose/index.ts';
import { grok } from './grok/index.ts';
import { kimi } from './kimi/index.ts';
import { kilo, opencode } from './opencode/index.ts';
import { omp, openclaw, pi } from './pi/index.ts';
import type { Provider } from './provider.ts';
import { qwen } from './qwen/index.ts';
import { clineExtension, kiloExtension, roo } from './task-folders/index.ts';
import { vscodeChat } from './vscode-chat/index.ts';
import { zed } from './zed/index.ts';

/** The agents whose logs Pinhole reads. */
export const PROVIDERS: readonly Provider[] = [
  claudeCode,
  codex,
  gemini,
  opencode,
  kilo,
  qwen,
  copilot,
  pi,
  omp,
  openclaw,
  kimi,
  cline,
  droid,
  grok,
  crush,
  goose,
  cursor,
  vscodeChat,
  zed,
  amp,
  clineExtension,
  roo,
  kiloExtension,
  aider,
];

/** The provider with an id; an index may still have sessions of one that is no longer in the list. */
export function providerWith(providers: readonly Provider[], id: string): Provider | undefined {
  return providers.find((provider) => provider.id === id);
}

/** The provider that a caller means; case, spaces and punctuation do not matter. */
export function providerNamed(providers: readonly Provider[], given: string): Provider | undefined {
  const name = plain(given);
  return providers.find(({ id, title, aliases = [] }) =>
    [id, title, ...aliases].some((one) => plain(one) === name),
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
