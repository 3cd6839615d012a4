/** A change that an answer proposes for a file. */
export interface ProposedEdit {
  readonly path: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly name: 'edit' | 'write';
}

const SEARCH = /^<{5,9} SEARCH>?\s*$/;
const MIDDLE = /^={5,9}\s*$/;
const REPLACE = /^>{5,9} REPLACE\s*$/;
const FENCE = /^\s*(?:`{3,}|<\/?(?:source|code|pre|codeblock|sourcecode)>)/;

/** The changes in the text of an answer: SEARCH/REPLACE blocks by file, and files that are listed in full. */
export function proposedEdits(answer: string): readonly ProposedEdit[] {
  const lines = answer.split(/\r?\n/);
  const blocks = new Map<string, { old_string: string; new_string: string }[]>();
  const wholes = new Map<string, string>();
  let path: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (SEARCH.test(line)) {
      const middle = lines.findIndex((one, index) => index > at && MIDDLE.test(one));
      const end = lines.findIndex((one, index) => index > middle && REPLACE.test(one));
      if (middle < 0 || end < 0) break;
      path = nameAbove(lines, at) ?? path;
      if (path !== undefined) {
        const edit = {
          old_string: lines.slice(at + 1, middle).join('\n'),
          new_string: lines.slice(middle + 1, end).join('\n'),
        };
        blocks.set(path, [...(blocks.get(path) ?? []), edit]);
      }
      at = end;
    } else if (FENCE.test(line)) {
      const listed = fileName(lines[at - 1] ?? '');
      const end = lines.findIndex((one, index) => index > at && FENCE.test(one));
      const content = end < 0 ? [] : lines.slice(at + 1, end);
      if (listed === undefined || end < 0 || content.some((one) => SEARCH.test(one))) continue;
      wholes.set(listed, content.join('\n'));
      at = end;
    }
  }
  return [
    ...[...blocks].map(([file, edits]): ProposedEdit => {
      const [first, ...more] = edits;
      return {
        path: file,
        name: 'edit',
        args: { file_path: file, ...(more.length > 0 ? { edits } : first) },
      };
    }),
    ...[...wholes]
      .filter(([file]) => !blocks.has(file))
      .map(
        ([file, content]): ProposedEdit => ({
          path: file,
          name: 'write',
          args: { file_path: file, content },
        }),
      ),
  ];
}

/** The file name is above the block or above its fence. */
function nameAbove(lines: readonly string[], at: number): string | undefined {
  for (const line of lines.slice(Math.max(0, at - 3), at).reverse()) {
    if (FENCE.test(line)) continue;
    const name = fileName(line);
    if (name !== undefined) return name;
  }
  return undefined;
}

function fileName(line: string): string | undefined {
  const name = line
    .trim()
    .replace(/^#+\s*/, '')
    .replace(/:$/, '')
    .replace(/^[`*]+|[`*]+$/g, '');
  return /^[^\s<>|"?*]+\.?[^\s<>|"?*]+$/.test(name) && /[./]/.test(name) ? name : undefined;
}
