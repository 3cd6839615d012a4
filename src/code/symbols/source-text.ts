import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readStart } from '../../contract/open-file.ts';
import { blankSecrets } from '../../contract/redact.ts';
import { MAX_FILE_BYTES, skipReason, textOf } from '../files/file-content.ts';
import type { FileStamp } from './symbol-writer.ts';

/** A file of a tree as it is now. */
export interface SourceText {
  readonly stamp: FileStamp;
  /** Its text, with its secrets; undefined if it is binary, minified or too large. */
  readonly text: string | undefined;
}

/** Reads a file with its stamp from the same descriptor; undefined if it is deleted, unreadable or a link. */
export function readSource(root: string, path: string): SourceText | undefined {
  try {
    // One byte more than allowed is enough to see that it is too large.
    const { bytes, stats } = readStart(join(root, path), 'exact', MAX_FILE_BYTES + 1);
    const hash = createHash('sha1').update(bytes).digest('base64url').slice(0, 16);
    const { size, mtimeMs, ctimeMs } = stats;
    const converted = textOf(bytes);
    const readable = converted.converted || skipReason(bytes) === undefined;
    return {
      stamp: { size, mtimeMs, ctimeMs, hash },
      text: readable ? converted.bytes.toString('utf8') : undefined,
    };
  } catch {
    return undefined;
  }
}

/** The text as parsers get it: secrets become spaces, so that none is stored and every position stays. */
export function parsedText(text: string): string {
  return blankSecrets(text);
}
