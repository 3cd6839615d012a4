import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Provider } from '../model/event.ts';
import { isObject, list, parseJson } from '../model/json.ts';
import { contentText } from '../providers/reader.ts';
import { wholeFile } from './source.ts';

const LARGEST = 64 << 20;

/**
 * The whole of an output that the client put in a file of its own. The path in the log is only believed in its last
 * part: the file must lie where the client keeps such files, beside the log.
 */
export function spilledText(provider: Provider, log: string, saidPath: string): string | undefined {
  const name = basename(saidPath);
  for (const folder of spillFolders(provider, log)) {
    try {
      const plain = join(folder, name);
      const path = existsSync(plain) ? plain : `${plain}.gz`;
      if (statSync(path).size > LARGEST) return undefined;
      const content = wholeFile(path).toString('utf8');
      if (!name.endsWith('.json')) return content;
      const parsed = parseJson(content);
      return Array.isArray(parsed) || isObject(parsed)
        ? contentText(list(parsed).length > 0 ? parsed : content)
        : content;
    } catch {
      // Not there, or gone: the log's own beginning of the output has to do.
    }
  }
  return undefined;
}

/** Where the client keeps large outputs of the session of a log, or the archive its copies of them. */
export function spillFolders(provider: Provider, log: string): readonly string[] {
  const folder = dirname(log);
  if (provider === 'claude_code') {
    const session = basename(log).replace(/\.jsonl(?:\.gz)?$/, '');
    return [join(folder, session, 'tool-results'), join(dirname(folder), 'tool-results')];
  }
  if (provider !== 'gemini') return [];
  const chats = folder.lastIndexOf('/chats');
  if (chats < 0) return [];
  const outputs = join(folder.slice(0, chats), 'tool-outputs');
  try {
    return [outputs, ...readdirSync(outputs).map((name) => join(outputs, name))];
  } catch {
    return [];
  }
}
