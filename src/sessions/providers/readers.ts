import type { Provider } from '../model/event.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import type { RecordReader } from './reader.ts';

/** The reader of each client's records. */
export const READERS: Readonly<Record<Provider, RecordReader>> = { claude_code: claudeCode, codex, gemini };
