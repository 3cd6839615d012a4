import { blankSecrets } from '../../contract/redact.ts';
import { skipReason } from '../files/file-content.ts';
import type { SkipReason } from '../files/source-tree.ts';
import { languageOf } from '../languages.ts';

/** Larger text is a table or a bundle, and its beginning shows what it means. */
const MAX_TEXT_BYTES = 1_000_000;
const MAX_DATA_BYTES = 64_000;
const DATA_LANGUAGES: ReadonlySet<string> = new Set(['json', 'yaml', 'xml', 'toml', 'html', 'sql', 'css']);

/** The text of a file to index, without its secrets, or why it is skipped. */
export function indexableText(
  path: string,
  content: Buffer,
): { readonly text: string } | { readonly skipped: SkipReason } {
  const skipped = skipReason(content);
  if (skipped !== undefined) return { skipped };
  const language = languageOf(path);
  const most = language === undefined || DATA_LANGUAGES.has(language) ? MAX_DATA_BYTES : MAX_TEXT_BYTES;
  return { text: blankSecrets(content.toString('utf8', 0, Math.min(content.length, most))) };
}
