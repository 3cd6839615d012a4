import type { BriefData } from './session-brief.tsx';

/** A brief as text for another agent; event numbers refer back to the session. */
export function briefMarkdown(session: string, task: string | undefined, data: BriefData): string {
  const section = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${name}`, ...lines.map((line) => `- ${line}`), ''];
  const texts = (rows: BriefData['asked']) =>
    rows.map(({ event_index, text }) => `${text} (e${event_index})`);
  return [
    `# Session ${session}`,
    '',
    ...(task === undefined ? [] : ['## Task', task, '']),
    ...section('Left open', texts(data.open)),
    ...section('Asked', texts(data.asked)),
    ...section('Said last', texts(data.said)),
    ...section(
      'Files',
      data.files.map(
        ({ path, edits, event_index }) =>
          `${path}: ${edits === undefined ? 'read' : `edited ${edits}x`} (e${event_index})`,
      ),
    ),
    ...section(
      'Last runs',
      data.ran.map(({ command, status, event_index }) => `\`${command}\`: ${status} (e${event_index})`),
    ),
  ]
    .join('\n')
    .trimEnd();
}
