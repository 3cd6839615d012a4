import { basename, join } from 'node:path';
import { isObject, list, parseJson } from '../model/log-json.ts';
import type { Provider } from '../providers/provider.ts';
import { contentText } from '../providers/record-parts.ts';
import { wholeFile } from './source.ts';

const MAX_OUTPUT_BYTES = 64 << 20;

/**
 * The whole output that the agent put in a separate file. Only the last part of the path in the log is trusted:
 * the file must be where the agent keeps such files, beside the log.
 */
export function spilledText(
  provider: Pick<Provider, 'spillFolders'>,
  log: string,
  saidPath: string,
): string | undefined {
  const name = basename(saidPath);
  for (const { path: folder, base } of provider.spillFolders?.(log) ?? []) {
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
    return wholeFile(path, base, MAX_OUTPUT_BYTES).toString('utf8');
  } catch {
    // Missing, too large, or reached through a link: the log still has the beginning of the output.
    return undefined;
  }
}
