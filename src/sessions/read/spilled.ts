import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Provider } from '../model/event.ts';
import { isObject, list, parseJson } from '../model/log-json.ts';
import { contentText } from '../providers/record-parts.ts';
import { wholeFile } from './source.ts';

const LARGEST = 64 << 20;

/**
 * The whole of an output that the client put in a file of its own. The path in the log is only believed in its last
 * part: the file must lie where the client keeps such files, beside the log.
 */
export function spilledText(provider: Provider, log: string, saidPath: string): string | undefined {
  const name = basename(saidPath);
  for (const { folder, base } of spillFolders(provider, log)) {
    const content = text(join(folder, name), base) ?? text(join(folder, `${name}.gz`), base);
    if (content === undefined) continue;
    if (!name.endsWith('.json')) return content;
    const parsed = parseJson(content);
    return Array.isArray(parsed) || isObject(parsed)
      ? contentText(list(parsed).length > 0 ? parsed : content)
      : content;
  }
  return undefined;
}

function text(path: string, base: string): string | undefined {
  try {
    return wholeFile(path, base, LARGEST).toString('utf8');
  } catch {
    // Not there, too large, or reached through a link: the log's own beginning of the output has to do.
    return undefined;
  }
}

export interface SpillFolder {
  readonly folder: string;
  /** The folder of the client's own that it is in: what follows it may not be a link. */
  readonly base: string;
}

/** Where the client keeps large outputs of the session of a log, or the archive its copies of them. */
export function spillFolders(provider: Provider, log: string): readonly SpillFolder[] {
  const folder = dirname(log);
  if (provider === 'claude_code') {
    const session = basename(log).replace(/\.jsonl(?:\.gz)?$/, '');
    return [
      { folder: join(folder, session, 'tool-results'), base: folder },
      { folder: join(dirname(folder), 'tool-results'), base: dirname(folder) },
    ];
  }
  if (provider !== 'gemini') return [];
  const chats = folder.lastIndexOf('/chats');
  if (chats < 0) return [];
  const base = folder.slice(0, chats);
  const outputs = join(base, 'tool-outputs');
  try {
    const folders = [outputs, ...readdirSync(outputs).map((name) => join(outputs, name))];
    return folders.map((one) => ({ folder: one, base }));
  } catch {
    return [];
  }
}
