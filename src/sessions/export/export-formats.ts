/** What an export says about a session ahead of its events. */
export interface ExportHead {
  readonly title: string;
  /** Names and values, in order. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}

export interface ExportedEvent {
  readonly event: number;
  readonly turn: number | undefined;
  readonly type: string;
  readonly name: string | undefined;
  readonly status: string | undefined;
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly text: string;
}

/** How a session is written: its head, each event, and its end. */
interface ExportFormat {
  readonly head: (head: ExportHead) => string;
  /** `first` is true for the first event. */
  readonly event: (event: ExportedEvent, first: boolean) => string;
  readonly foot: string;
}

const HEADINGS: Readonly<Record<string, string>> = {
  user: 'Prompt',
  message: 'Answer',
  reasoning: 'Thinking',
  tool_call: 'Call',
  tool_result: 'Result',
};
const PROSE: ReadonlySet<string> = new Set(['user', 'message', 'reasoning']);

function headingOf({ type, name, status, event, at }: ExportedEvent): string {
  const words = [HEADINGS[type] ?? type, name, status === 'ok' ? undefined : status];
  return `${words.filter((word) => word !== undefined).join(' ')} · e${event} · ${at.slice(0, 16).replace('T', ' ')}`;
}

/** Calls and results are not Markdown. A fence must be longer than any fence inside it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const markdown: ExportFormat = {
  head: ({ title, facts }) =>
    `# ${title.replace(/\s+/g, ' ')}\n\n${facts.map(([name, value]) => `- ${name}: ${value}`).join('\n')}\n`,
  event: (one) =>
    `\n${one.type === 'user' ? '##' : '###'} ${headingOf(one)}\n\n${PROSE.has(one.type) ? one.text : fenced(one.text)}\n`,
  foot: '',
};

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}

/** A single file without scripts or external resources. */
const html: ExportFormat = {
  head: ({ title, facts }) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}
details pre{font:13px/1.4 ui-monospace,monospace;max-height:40rem;overflow:auto}
section{border-top:1px solid #8884;padding:.5rem 0}section.user{border-left:4px solid #37c;padding-left:1rem}
h2,summary{font-size:.85rem;font-weight:600;opacity:.75}
</style></head><body>
<h1>${escaped(title)}</h1>
<dl>${facts.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
`,
  event: (one) => {
    const heading = escaped(headingOf(one));
    const text = `<pre>${escaped(one.text)}</pre>`;
    const body = PROSE.has(one.type)
      ? `<h2>${heading}</h2>${text}`
      : `<details><summary>${heading}</summary>${text}</details>`;
    return `<section class="${escaped(one.type)}" id="e${one.event}">${body}</section>\n`;
  },
  foot: '</body></html>\n',
};

const json: ExportFormat = {
  head: ({ title, facts }) =>
    `{"title":${JSON.stringify(title)},"session":${JSON.stringify(Object.fromEntries(facts))},"events":[`,
  event: (one, first) => `${first ? '' : ','}\n${JSON.stringify(one)}`,
  foot: '\n]}\n',
};

export const EXPORT_FORMATS = { markdown, html, json } as const;
