import { z } from 'zod';
import { countOf, durationText, shortCount } from '../../contract/format.ts';
import { restBelow } from '../../contract/inside.ts';
import type { ReadonlyData } from '../../contract/operation.ts';
import type { AcrossFilter, FindingKind, FoundPlace, Rejection } from '../analyze/across-sessions.ts';
import type { Sessions } from '../sessions.ts';
import type { Clock } from './session-text.ts';
import { iso, placeNumber, placeText, shortTime, snip } from './session-text.ts';

/** The kinds of findings across sessions, in the order of the answer. */
export const ACROSS_KINDS = [
  'checks',
  'commands',
  'errors',
  'rejected',
  'interruptions',
  'loops',
  'subagents',
] as const;
export type AcrossKind = (typeof ACROSS_KINDS)[number];

export const findingSchema = z.object({
  kind: z.enum(ACROSS_KINDS),
  session_id: z.string(),
  event_index: z.int(),
  turn_index: z.int().optional(),
  timestamp: z.string(),
  times: z.int().optional().describe('how often it failed'),
  runs: z.int().optional().describe('how often it ran'),
  sessions: z.int().optional().describe('in how many sessions'),
  what: z.string(),
  said: z.string().optional().describe('the error, or what the person said'),
  after: z.string().optional().describe('what fixed it, or what was asked next'),
});

export type AcrossFinding = ReadonlyData<typeof findingSchema>;

const MAX_WHAT_LENGTH = 100;
const MAX_SAID_LENGTH = 140;

/** The findings of all requested kinds, kind by kind. */
export async function findAcross(
  sessions: Sessions,
  filter: AcrossFilter,
  kinds: readonly AcrossKind[],
  signal: AbortSignal,
): Promise<{ readonly looked_at: number; readonly findings: readonly AcrossFinding[] }> {
  const found = await sessions.analysis.across({ ...filter, kinds: kinds.flatMap(sharedKind) }, signal);
  const has = (kind: AcrossKind) => kinds.includes(kind);
  const costs = has('subagents') ? await sessions.usage.costs() : new Map<string, number>();
  const findings: Readonly<Record<AcrossKind, readonly (AcrossFinding | Promise<AcrossFinding>)[]>> = {
    checks: has('checks')
      ? (await sessions.analysis.failed.checks(filter)).map(async ({ fixes, passed, ...streak }) => ({
          ...(await placeOf(sessions, 'checks', streak)),
          times: streak.times,
          what: `${streak.check}: ${snip(streak.command, MAX_WHAT_LENGTH)}`,
          said: said(streak.error),
          after:
            passed === undefined
              ? 'never passed again'
              : `passed at e${passed}${fixes.length === 0 ? '' : ` after edits of ${fixes.map(({ path, event }) => `${path} e${event}`).join(', ')}`}`,
        }))
      : [],
    commands: has('commands')
      ? repeated(await sessions.analysis.failed.actions(filter)).map(async (action) => ({
          ...(await placeOf(sessions, 'commands', action)),
          times: action.times,
          runs: action.runs,
          sessions: action.sessions,
          what: snip(action.action, MAX_WHAT_LENGTH),
          said: said(action.error),
        }))
      : [],
    errors: repeated(found.errors).map(({ times, sessions: ids, tools, example, last }) => ({
      ...place('errors', last),
      times,
      sessions: ids.length,
      what: tools.join(', '),
      said: said(example),
    })),
    rejected: found.rejected.map(async (rejection) => ({
      ...place('rejected', rejection),
      what: await aboutOf(sessions, rejection),
      said: said(rejection.words),
      after: asked(rejection.next),
    })),
    interruptions: found.interruptions.map((interruption) => ({
      ...place('interruptions', interruption),
      what: snip(interruption.prompt, MAX_WHAT_LENGTH),
      after: asked(interruption.next),
    })),
    loops: found.loops.map((loop) => ({
      ...place('loops', loop),
      what: snip(loop.message, MAX_SAID_LENGTH),
    })),
    subagents: found.subagents.map(async (run) => {
      const child = await childOf(sessions, run);
      const cost = child === undefined ? undefined : costs.get(child.id);
      const facts = [
        run.type,
        run.description === undefined ? undefined : `"${snip(run.description, MAX_WHAT_LENGTH)}"`,
        run.took === undefined ? undefined : durationText(run.took / 1000),
        child?.totalTokens ? `${shortCount(child.totalTokens)} tok` : undefined,
        cost === undefined ? undefined : `$${cost.toFixed(2)}`,
        run.status === 'ok' ? undefined : run.status,
        child === undefined ? 'no log' : `→ ${await sessions.list.shortId(child.id)}`,
      ];
      return { ...place('subagents', run), what: facts.filter((fact) => fact !== undefined).join(' ') };
    }),
  };
  return { looked_at: found.sessions, findings: await Promise.all(kinds.flatMap((kind) => findings[kind])) };
}

/** Kinds that the analysis itself also finds. */
function sharedKind(kind: AcrossKind): readonly FindingKind[] {
  return kind === 'checks' || kind === 'commands' ? [] : [kind];
}

/** What happened more than once; if there is little of that, the first of the rest too. */
function repeated<T extends { readonly times: number }>(found: readonly T[]): readonly T[] {
  const often = found.filter(({ times }) => times > 1).length;
  return found.slice(0, Math.max(often, MIN_SHOWN_FINDINGS));
}

const MIN_SHOWN_FINDINGS = 5;

/** The tool of a rejected call and its target; a file by its path in the project. */
async function aboutOf(sessions: Sessions, { session, tool, target }: Rejection): Promise<string> {
  const { cwd, projectPath } = await sessions.list.find(session);
  const short =
    [cwd, projectPath].map((folder) => folder && restBelow(target, folder)).find(Boolean) ?? target;
  return target === tool ? tool : `${tool} ${snip(short, MAX_WHAT_LENGTH)}`;
}

function said(text: string | undefined): string | undefined {
  return text === undefined ? undefined : snip(text, MAX_SAID_LENGTH);
}

function asked(prompt: string | undefined): string | undefined {
  return prompt === undefined ? undefined : `"${snip(prompt, MAX_SAID_LENGTH)}"`;
}

function place(kind: AcrossKind, { session, turn, event, ms }: FoundPlace) {
  return { kind, session_id: session, event_index: event, turn_index: placeNumber(turn), timestamp: iso(ms) };
}

async function placeOf(
  sessions: Sessions,
  kind: AcrossKind,
  {
    key,
    ...at
  }: { readonly key: number; readonly turn: number; readonly event: number; readonly ms: number },
) {
  return place(kind, { ...at, session: await sessions.list.shortIdOf(key) });
}

/** The session of a subagent, if it has a log. */
async function childOf(sessions: Sessions, { session, event }: FoundPlace) {
  const parent = await sessions.list.find(session);
  const id = (await sessions.list.agentRuns(parent)).find((run) => run.event === event)?.session;
  try {
    return id === undefined ? undefined : await sessions.list.find(id);
  } catch {
    return undefined;
  }
}

const HEADS: Readonly<Record<AcrossKind, string>> = {
  checks: 'failed checks, those in a row as one',
  commands: 'what failed most: failed of runs',
  errors: 'errors by class',
  rejected: 'rejected by a person',
  interruptions: 'interrupted by a person',
  loops: 'loops',
  subagents: 'subagents',
};

/** Findings under headings by kind, one line each. */
export function acrossText(
  {
    looked_at,
    findings,
    more,
  }: {
    readonly looked_at: number;
    readonly findings: readonly AcrossFinding[];
    readonly more?: Readonly<Record<string, number>> | undefined;
  },
  style: Clock,
): string {
  const lines = [countOf(looked_at, 'session')];
  for (const kind of ACROSS_KINDS) {
    const rows = findings.filter((finding) => finding.kind === kind);
    const left = more?.[kind] ?? 0;
    if (rows.length === 0) continue;
    lines.push(left === 0 ? HEADS[kind] : `${HEADS[kind]} (${left} more: kind=${kind})`);
    lines.push(...rows.map((row) => ` ${findingText(row, style)}`));
  }
  return lines.length === 1 ? `${lines[0]}, nothing found` : lines.join('\n');
}

function findingText(row: AcrossFinding, style: Clock): string {
  const { times, runs, sessions } = row;
  const often = [
    times === undefined ? '' : runs === undefined ? (times > 1 ? `${times}×` : '') : `${times} of ${runs}`,
    sessions === undefined || sessions < 2 ? '' : `in ${sessions} sessions`,
  ]
    .filter((word) => word !== '')
    .join(' ');
  const where = `${row.session_id} ${placeText(row)} ${shortTime(row.timestamp, style)}`;
  const tail = [row.said, row.after].filter((text) => text !== undefined).map((text) => ` → ${text}`);
  return `${often === '' ? '' : `${often} `}${row.what}${tail.join('')}  ${where}`;
}
