import { countOf, durationText, shortCount } from '../../contract/format.ts';
import type { TextStyle } from '../../contract/operation.ts';
import { DAY_MS } from '../../contract/time.ts';
import type { SessionSummary } from './get-session-summary.ts';
import { clock, dayOf, placeText, touchText } from './session-text.ts';

/** When to mention that the agent will delete a log. */
const SOON_MS = 7 * DAY_MS;

/** A session at a glance, leaving out whatever did not happen. */
export function summaryText(data: SessionSummary, style: TextStyle): string {
  const { stats, project } = data;
  const bad = [
    ...(stats.failures > 0 ? [`${stats.failures} failed`] : []),
    ...(stats.rejected === undefined ? [] : [`${stats.rejected} rejected`]),
  ].join(', ');
  const facts = [
    spanText(data, style),
    ...(stats.duration_seconds === undefined ? [] : [durationText(stats.duration_seconds)]),
    countOf(stats.total_turns, 'turn'),
    `${countOf(stats.tool_calls, 'call')}${bad === '' ? '' : ` (${style.paint('problem', bad)})`}`,
    ...(stats.interrupted === undefined ? [] : [countOf(stats.interrupted, 'interruption')]),
    ...(stats.compactions === undefined ? [] : [countOf(stats.compactions, 'compaction')]),
  ];
  const client = [data.provider, data.version].filter((word) => word !== undefined).join(' ');
  return [
    [style.paint('id', data.id), client, data.model].filter((word) => word !== undefined).join('  '),
    facts.join('  '),
    tokensText(data),
    ...(project === undefined
      ? []
      : [`project ${project.path ?? project.hash}${data.branch ? ` (${data.branch})` : ''}`]),
    ...(data.title === undefined ? [] : [`title ${data.title}`]),
    ...(data.parent === undefined ? [] : [`${data.parent.relation} of ${data.parent.id}`]),
    `first "${data.first_prompt}"`,
    ...(data.last_prompt === undefined ? [] : [`last asked "${data.last_prompt}"`]),
    ...(data.last_message === undefined ? [] : [`last said "${data.last_message}"`]),
    ...filesText(data),
    ...subagentsText(data),
    ...expiryText(data, style),
    ...(data.deleted_at === undefined
      ? []
      : [`the agent deleted this log; noticed on ${dayOf(data.deleted_at, style)}`]),
    ...(data.resume === undefined ? [] : [`resume ${data.resume}`]),
    ...(data.starred ? ['starred'] : []),
    ...(data.note === undefined ? [] : [`note ${data.note}`]),
  ].join('\n');
}

/** From when to when; without an end if it is not recorded, and with one date if the days are the same. */
function spanText({ start_time, end_time }: SessionSummary, style: TextStyle): string {
  const from = clock(start_time, style);
  if (end_time === undefined) return from;
  const to = clock(end_time, style);
  const sameDay = from.split(' ')[0] === to.split(' ')[0];
  return `${from} to ${sameDay ? (to.split(' ')[1] ?? to) : to}`;
}

function tokensText({ stats, tokens }: SessionSummary): string {
  if (tokens === undefined) return 'tokens: none in its log';
  const parts = [
    `in ${shortCount(tokens.input + (tokens.cache_write ?? 0))}`,
    ...(tokens.cached ? [`cached ${shortCount(tokens.cached)}`] : []),
    `out ${shortCount(tokens.output)}`,
    ...(tokens.reasoning ? [`reasoning ${shortCount(tokens.reasoning)}`] : []),
  ];
  const cost = tokens.cost_usd === undefined ? '' : `  about $${tokens.cost_usd.toFixed(2)}`;
  const bound = tokens.lower_bound ? ' (at least)' : '';
  return `tokens ${shortCount(stats.total_tokens ?? 0)}${bound}: ${parts.join(', ')}${cost}`;
}

function filesText({ files, more_files }: SessionSummary): readonly string[] {
  return [
    ...files.map((file) => `  ${file.path}  ${touchText(file)}`),
    ...(more_files === undefined ? [] : [`  and ${countOf(more_files, 'more file', 'more files')}`]),
  ];
}

function subagentsText({ subagents, more_subagents, agent_calls = [] }: SessionSummary): readonly string[] {
  return [
    ...subagents.map(({ relation, id, name, total_tokens }) =>
      [
        `  ${relation} ${id}`,
        name,
        total_tokens === undefined ? undefined : `${shortCount(total_tokens)} tok`,
      ]
        .filter((word) => word !== undefined)
        .join(' '),
    ),
    ...(more_subagents === undefined ? [] : [`  and ${more_subagents} more`]),
    ...agent_calls.map((call) => {
      const took = call.duration_seconds === undefined ? undefined : durationText(call.duration_seconds);
      const status = call.status === 'ok' ? undefined : call.status;
      const task = call.task === undefined ? undefined : `"${call.task}"`;
      const words = [placeText(call), call.name, task, took, status].filter((word) => word !== undefined);
      return `  subagent without a log ${words.join(' ')}`;
    }),
  ];
}

function expiryText({ expires_at }: SessionSummary, style: TextStyle): readonly string[] {
  return expires_at !== undefined && Date.parse(expires_at) - style.now < SOON_MS
    ? [`the agent deletes this log on ${dayOf(expires_at, style)}`]
    : [];
}
