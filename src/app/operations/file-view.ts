import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { operation, single } from '../../contract/operation.ts';

const view = z.object({
  path: z.string(),
  size: z.int(),
  first_line: z.int().describe('number of the first line shown, from 1'),
  total_lines: z.int(),
  text: z.string(),
});

const MAX_FILE_BYTES = 5_000_000;
const MAX_SHOWN_CHARACTERS = 200_000;

/** For people: an agent reads files with its own tools. */
export const fileView = operation()({
  name: 'file_view',
  toolset: undefined,
  readOnly: true,
  summary: 'The lines of a text file around one line.',
  input: z.strictObject({
    path: z.string().min(1).max(4096).describe('the file'),
    line: z.int().min(1).optional().describe('the line to show in the middle'),
    lines: z.int().min(1).max(2000).default(400).describe('how many lines'),
  }),
  data: view,
  aliases: { file: 'path', file_path: 'path' },
  http: 'GET /api/files/view',

  async run({ path, line, lines }, { roots, signal }) {
    const file = await roots.open(path);
    try {
      const { size } = await file.stat();
      if (size > MAX_FILE_BYTES) {
        fail(
          'invalid_parameter',
          `This file has ${size} bytes; files up to ${MAX_FILE_BYTES} bytes can be shown. Search in it instead.`,
        );
      }
      const bytes = await file.readFile({ signal });
      if (bytes.subarray(0, 8_000).includes(0)) fail('invalid_parameter', 'This is not a text file.');
      // Loaded with the first view: the bridge knows every operation and runs none.
      const { linesOf } = await import('../../contract/redact.ts');
      const all = bytes.toString('utf8');
      const total = Math.max(1, all.split('\n').length - (all.endsWith('\n') ? 1 : 0));
      const wanted = Math.min(line ?? 1, total);
      const first = Math.max(1, Math.min(wanted - Math.floor(lines / 2), total - lines + 1));
      const text = linesOf(all, first, Math.min(total, first - 1 + lines))
        .join('\n')
        .slice(0, MAX_SHOWN_CHARACTERS);
      return single({ path, size, first_line: first, total_lines: total, text });
    } finally {
      await file.close();
    }
  },

  text: ({ text }) => text,
});
