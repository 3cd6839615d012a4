import type { Provider } from '../model/event.ts';
import { claudeCode } from './claude-code/claude-records.ts';
import { codex } from './codex/codex-records.ts';
import { gemini } from './gemini/gemini-records.ts';
import type { RecordReader } from './record-parts.ts';

/** The reader of each client's records. */
export const READERS: Readonly<Record<Provider, RecordReader>> = { claude_code: claudeCode, codex, gemini };
