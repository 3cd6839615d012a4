import { oneLine } from '../../contract/bytes.ts';
import type { TextStyle } from '../../contract/operation.ts';
import type { Paint } from '../../contract/painted-text.ts';
import { unparsedLanguage, unparsedText } from '../symbols/unparsed-languages.ts';
import type { OutlineData } from './outline.ts';

type Row = OutlineData['definitions'][number];

/** `641-711  Curl_retry_request`, nested by two spaces; for a folder, one line per file. */
export function outlineText(
  { definitions, outlines, unparsed }: OutlineData,
  { paint }: Pick<TextStyle, 'paint'>,
): string {
  if (unparsed !== undefined) return unparsedText([unparsed]);
  if (outlines === undefined) return oneText(definitions, paint);
  return outlines
    .map(
      ({ path, definitions: own }) =>
        `${paint('path', oneLine(path))}:\n${oneText(own, paint) || noneText(path)}`,
    )
    .join('\n\n');
}

function noneText(path: string): string {
  const language = unparsedLanguage(path);
  return language === undefined ? 'No definitions.' : unparsedText([language]);
}

function oneText(definitions: readonly Row[], paint: Paint): string {
  const lines: string[] = [];
  let open: string | undefined;
  for (const row of definitions) {
    if (row.path === undefined) lines.push(definitionText(row, paint));
    else {
      const named = `${oneLine(row.name)}:${row.line_start}`;
      if (row.path === open) lines.push(`${lines.pop() ?? ''} ${named}`);
      else lines.push(`${paint('path', oneLine(row.path))}  ${named}`);
    }
    open = row.path;
  }
  return lines.join('\n');
}

function definitionText(row: Row, paint: Paint): string {
  const { name, kind, line_start, line_end, depth = 0, signature, fields } = row;
  const range = line_start === line_end ? String(line_start) : `${line_start}-${line_end}`;
  const told = signature === undefined ? `${oneLine(name)}${kindText(kind)}` : oneLine(signature);
  const rest = fields === undefined ? '' : `: ${fields.map(oneLine).join(', ')}`;
  return `${'  '.repeat(depth)}${paint('line', range)}  ${told}${rest}`;
}

/** Most definitions are functions, so that kind is not named. */
function kindText(kind: string): string {
  return kind === 'function' || kind === 'method' ? '' : ` ${kind}`;
}
