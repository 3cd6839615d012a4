import { z } from 'zod';
import { operation, type ReadonlyData, single, type TextStyle } from '../../contract/operation.ts';
import { fitRecall, type Recalled } from '../recall/recall-fit.ts';
import { recallText } from '../recall/recall-text.ts';
import { resumeCommand } from '../recall/resume-command.ts';
import type { SessionServices } from '../services.ts';
import { freshness } from './index-freshness.ts';
import { recallSchema } from './recall.ts';
import { END_TIME, endTime } from './recorded-times.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';
import { clock, iso, snip } from './session-text.ts';

const briefSchema = recallSchema
  .omit({ found_by: true, may_be: true, compacted_at: true, first_event: true, last_event: true })
  .extend({
    provider: z.string(),
    branch: z.string().optional(),
    title: z.string().optional(),
    start_time: z.string(),
    end_time: END_TIME,
    task: z.string().describe('the first prompt'),
    resume: z.string().optional().describe('the command that continues the session in its own agent'),
  });

type Brief = ReadonlyData<typeof briefSchema>;

const MAX_TEXT_BYTES = 4_000;
/** In the caller's zone, a time may fall into another year, which is then written out. */
const RESERVED_BYTES = 10;
const MAX_TASK_LENGTH = 700;

export const brief = operation<SessionServices>()({
  name: 'brief',
  toolset: 'sessions',
  readOnly: true,
  summary: 'A session in 4 kB for an agent that takes over: task, files, runs, decisions, what is open.',
  input: z.strictObject({ session_id }),
  data: briefSchema,
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/brief',
  command: {
    words: 'sessions brief',
    positional: ['session_id'],
    examples: ['pinhole sessions brief 5e55a001', 'pinhole sessions brief last'],
  },

  async run(input, { sessions, now }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(input.session_id);
    const window = { ...(await sessions.recall.windowOf(session)), first: 0 };
    const facts = await sessions.recall.facts(session, window);
    const head = {
      session_id: await sessions.list.shortId(session.id),
      provider: session.provider,
      branch: session.branch,
      title: session.title,
      start_time: iso(session.startMs),
      end_time: endTime(sessions, session),
      compactions: window.compactions,
      folder: session.cwd ?? session.projectPath,
      task: snip(facts.prompts.at(-1)?.text ?? session.snippet, MAX_TASK_LENGTH),
      resume: resumeCommand(session, sessions.providers),
    };
    const fits = (chosen: Recalled) =>
      Buffer.byteLength(textOf({ ...head, ...chosen }, { zone: 'UTC', now: now() })) <=
      MAX_TEXT_BYTES - RESERVED_BYTES;
    return single<Brief>({ ...head, ...fitRecall(facts, head.folder, fits) }, { meta });
  },

  text: textOf,
});

function textOf(
  { session_id: id, provider, title, folder, branch, task, resume, end_time, ...rest }: Brief,
  style: Pick<TextStyle, 'zone' | 'now'>,
): string {
  const lines = [
    `${id} ${provider} ${clock(rest.start_time, style)}${end_time === undefined ? '' : ` to ${clock(end_time, style)}`}`,
    ...(title === undefined ? [] : [`title ${title}`]),
    ...(folder === undefined ? [] : [`in ${folder}${branch === undefined ? '' : ` (${branch})`}`]),
    `task ${task}`,
    ...(resume === undefined ? [] : [`resume ${resume}`]),
  ];
  return `${lines.join('\n')}\n${recallText(rest)}`;
}
