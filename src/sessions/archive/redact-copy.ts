import { mayHoldSecret, redact, redactDeep, redactInPlace } from '../../contract/redact.ts';

/** A JSON string, and whether it is a field name. */
const LITERAL = /("(?:[^"\\]|\\.)*")(\s*:)?/g;
/** Replaces a string that redaction would make longer. */
const SHORT_MARK = '"***"';

/**
 * The lines of a log, or any other text, with secrets redacted. Every line keeps its length in bytes, because the index
 * stores where each record of a log begins.
 */
export function redactedCopy(bytes: Uint8Array): Uint8Array {
  if (!mayHoldSecret(bytes, 0, bytes.length)) return bytes;
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = whole.toString('utf8');
  // Bytes that are not UTF-8 would change length.
  const encoding = Buffer.byteLength(text) === whole.length ? 'utf8' : 'latin1';
  const lines = (encoding === 'utf8' ? text : whole.toString('latin1')).split('\n').map(redactedLine);
  return Buffer.from(lines.join('\n'), encoding);
}

function redactedLine(line: string): string {
  const clean = isJson(line) ? withoutSecretStrings(line) : line;
  return redact(clean) === clean ? clean : redactInPlace(clean);
}

/** JSON allows spaces after a string, so a string that becomes shorter is padded with them. */
function withoutSecretStrings(line: string): string {
  let name = '';
  return line.replace(LITERAL, (whole, literal: string, colon: string | undefined) => {
    const value = String(JSON.parse(literal));
    if (colon !== undefined) {
      name = value;
      return whole;
    }
    const clean = redactDeep({ [name]: value })[name];
    if (clean === value) return whole;
    const written = JSON.stringify(clean);
    const size = Buffer.byteLength(literal);
    const shown = Buffer.byteLength(written) <= size ? written : SHORT_MARK;
    return shown + ' '.repeat(size - Buffer.byteLength(shown));
  });
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
