import { oneLine } from '../../contract/bytes.ts';
import type { OutlineData } from './outline.ts';

type Row = OutlineData['definitions'][number];

/** `641-711  Curl_retry_request`, nested by two spaces; of a folder, a line per file. */
export function outlineText({ definitions, outlines }: OutlineData): string {
  if (outlines === undefined) return oneText(definitions);
  return outlines
    .map(({ path, definitions: own }) => `${oneLine(path)}:\n${oneText(own) || 'No definitions.'}`)
    .join('\n\n');
}

function oneText(definitions: readonly Row[]): string {
  const lines: string[] = [];
  let open: string | undefined;
  for (const row of definitions) {
    if (row.path === undefined) lines.push(definitionText(row));
    else {
      const named = `${oneLine(row.name)}:${row.line_start}`;
      if (row.path === open) lines.push(`${lines.pop() ?? ''} ${named}`);
      else lines.push(`${oneLine(row.path)}  ${named}`);
    }
    open = row.path;
  }
  return lines.join('\n');
}

function definitionText({ name, kind, line_start, line_end, depth = 0, signature, fields }: Row): string {
  const range = line_start === line_end ? line_start : `${line_start}-${line_end}`;
  const told = signature === undefined ? `${oneLine(name)}${kindText(kind)}` : oneLine(signature);
  const rest = fields === undefined ? '' : `: ${fields.map(oneLine).join(', ')}`;
  return `${'  '.repeat(depth)}${range}  ${told}${rest}`;
}

/** Functions are what most definitions are. */
function kindText(kind: string): string {
  return kind === 'function' || kind === 'method' ? '' : ` ${kind}`;
}
