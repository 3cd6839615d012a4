import { call } from '../data/call.ts';

/** A whole session as Markdown. */
export async function sessionMarkdown(session_id: string): Promise<string> {
  const parts: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, pagination } = await call('session_export', { session_id, as: 'markdown', cursor });
    parts.push(...data.pieces.map(({ text }) => text));
    cursor = pagination?.next_cursor;
    if (cursor === undefined) return parts.join('');
  }
}
