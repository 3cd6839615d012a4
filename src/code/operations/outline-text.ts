import { oneLine } from '../../contract/bytes.ts';
import type { OutlineData } from './outline.ts';

type Row = NonNullable<OutlineData['definitions']>[number];

/** `641-711  Curl_retry_request`, nested by two spaces; of a folder, a line per file. */
export function outlineText({ definitions, files = [] }: OutlineData): string {
  if (definitions !== undefined) return definitions.map(definitionText).join('\n');
  return files.map(fileText).join('\n');
}

function definitionText({ name, kind, line_start, line_end, depth = 0, signature, fields }: Row): string {
  const range = line_start === line_end ? line_start : `${line_start}-${line_end}`;
  const told = signature === undefined ? `${oneLine(name)}${kindText(kind)}` : oneLine(signature);
  const rest = fields === undefined ? '' : `: ${fields.map(oneLine).join(', ')}`;
  return `${'  '.repeat(depth)}${range}  ${told}${rest}`;
}

function fileText({ path, definitions }: NonNullable<OutlineData['files']>[number]): string {
  const names = definitions.map(({ name, line_start }) => `${oneLine(name)}:${line_start}`);
  return `${oneLine(path)}  ${names.join(' ')}`;
}

/** Functions are what most definitions are. */
function kindText(kind: string): string {
  return kind === 'function' || kind === 'method' ? '' : ` ${kind}`;
}
