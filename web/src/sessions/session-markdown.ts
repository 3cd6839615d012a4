import { call } from '../data/call.ts';
import type { DataOf } from '../data/operations.ts';

type Full = DataOf<'get_session_full'>;
type FullEvent = Full['turns'][number]['events'][number];

const HEADS: Readonly<Record<string, string>> = {
  user: '## Prompt',
  message: '### Answer',
  reasoning: '### Thinking',
  tool_call: '### Call',
  tool_result: '### Result',
};

/** Calls and results are not Markdown; a fence must be longer than those inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function eventText({ event_type, name, text, offset }: FullEvent): string {
  const prose = event_type === 'user' || event_type === 'message' || event_type === 'reasoning';
  const body = prose ? text : fenced(text);
  // The rest of a text that did not fit into the page before.
  if (offset !== undefined && offset > 0) return body;
  return `${HEADS[event_type] ?? `### ${event_type}`}${name === undefined ? '' : ` ${name}`}\n\n${body}`;
}

/** A whole session as Markdown. */
export async function sessionMarkdown(session_id: string, title: string): Promise<string> {
  const parts = [`# ${title}`];
  for (let cursor: string | undefined; ; ) {
    const { data, pagination } = await call('get_session_full', { session_id, cursor });
    parts.push(...data.turns.flatMap(({ events }) => events.map(eventText)));
    cursor = pagination?.next_cursor;
    if (cursor === undefined) return `${parts.join('\n\n')}\n`;
  }
}
