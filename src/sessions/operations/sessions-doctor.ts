import { z } from 'zod';
import { columns, countOf, countText, sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { callSessionsArchive } from '../calls.ts';
import { UNKNOWN_FIELD } from '../model/unknown-things.ts';
import type { SessionServices } from '../services.ts';
import { freshness } from './index-freshness.ts';
import { dayOf, iso } from './session-text.ts';

const SOON_DAYS = 7;
/** Unreadable and shrunk files, and unknown records, listed. */
const MAX_LISTED = 100;

export const sessionsDoctorInput = z.strictObject({});

const sessionsHealthSchema = z.object({
  folders: z.array(z.object({ provider: z.string(), path: z.string(), logs: z.int() })),
  logs: z.int(),
  bytes: z.int(),
  sessions: z.int(),
  events: z.int(),
  archive: z.object({ on: z.boolean(), logs: z.int(), bytes: z.int(), only_here: z.int() }),
  bad_lines: z.int(),
  unreadable: z.array(z.object({ path: z.string(), reason: z.string() })),
  shrunk: z
    .array(z.object({ path: z.string(), before: z.int(), now: z.int() }))
    .describe('logs that became shorter and were read again, with their sizes in bytes'),
  unknown: z.array(
    z.object({
      provider: z.string(),
      version: z.string().optional(),
      label: z.string(),
      records: z.int(),
      sessions: z.int(),
      example: z.string().describe('a session with such a record'),
    }),
  ),
  deleted_soon: z.object({
    within_days: z.int(),
    sessions: z.int(),
    first: z.object({ id: z.string(), expires_at: z.string() }).optional(),
  }),
});

/** For people: what the readers did not understand, and which logs will be deleted. */
export const sessionsDoctor = operation<SessionServices>()({
  name: 'sessions_doctor',
  toolset: undefined,
  readOnly: true,
  summary:
    'How much of the session logs was read, which records are unknown in which agent version, and which logs the agents will delete soon.',
  input: sessionsDoctorInput,
  data: sessionsHealthSchema,
  http: 'GET /api/agent-health',
  command: { words: 'sessions doctor', examples: ['pinhole sessions doctor'] },

  async run(_input, { sessions }) {
    const meta = await freshness(sessions);
    const health = await sessions.reading.health();
    const expiring = await sessions.archive.expiring(SOON_DAYS);
    const archive = await sessions.archive.state();
    const atRisk = expiring.length > 0 && !archive.on;
    return single(
      {
        folders: await Promise.all(
          sessions.reading.folders.map(async ({ provider, path }) => ({
            ...{ provider, path, logs: await health.logsBelow(path) },
          })),
        ),
        logs: health.files,
        bytes: health.bytes,
        sessions: health.sessions,
        events: health.events,
        archive: { on: archive.on, logs: archive.logs, bytes: archive.bytes, only_here: archive.onlyHere },
        bad_lines: health.badLines,
        unreadable: sessions.reading.unreadable().slice(0, MAX_LISTED),
        shrunk: sessions.reading.shrunk().slice(0, MAX_LISTED),
        unknown: await Promise.all(
          health.unknown.slice(0, MAX_LISTED).map(async ({ example, ...found }) => ({
            ...found,
            example: await sessions.list.shortId(example),
          })),
        ),
        deleted_soon: {
          within_days: SOON_DAYS,
          sessions: expiring.length,
          first:
            expiring[0] === undefined
              ? undefined
              : { id: await sessions.list.shortId(expiring[0].id), expires_at: iso(expiring[0].at) },
        },
      },
      { meta, next: atRisk ? [callSessionsArchive({ keep: 'on' })] : undefined },
    );
  },

  text: (data, { units, zone }) => {
    const lines = [
      `${countOf(data.logs, 'log')} (${sizeText(data.bytes, units)}), ${countOf(data.sessions, 'session')}, ${countOf(data.events, 'event')}, ${countOf(data.bad_lines, 'bad line')}`,
      ...data.folders.map((folder) => `  ${folder.provider.padEnd(12)} ${folder.path}`),
    ];
    for (const { path, reason } of data.unreadable) lines.push(`cannot read ${path}: ${reason}`);
    for (const { path, before, now } of data.shrunk)
      lines.push(
        `${path} became shorter, from ${sizeText(before, units)} to ${sizeText(now, units)}; it was read again`,
      );
    const fields = data.unknown.filter(({ label }) => label.startsWith(UNKNOWN_FIELD));
    const types = data.unknown.filter((found) => !fields.includes(found));
    if (types.length === 0) lines.push('every record type is known');
    else lines.push('records of unknown types (kept, and shown as events):', unknownLines(types));
    if (fields.length > 0)
      lines.push('fields that this version does not know (their records are read):', unknownLines(fields));
    const { archive } = data;
    lines.push(
      archive.on || archive.logs > 0
        ? `archive ${archive.on ? 'on' : 'off'}: ${countOf(archive.logs, 'log')} kept (${sizeText(archive.bytes, units)}), ${countText(archive.only_here)} of them exist only here`
        : 'archive off',
    );
    const { first, sessions, within_days } = data.deleted_soon;
    if (first !== undefined) {
      lines.push(
        `${countOf(sessions, 'log')} will be deleted by the agent within ${within_days} days, the first (${first.id}) on ${dayOf(first.expires_at, { zone })}; ${archive.on ? 'the copies stay' : 'the archive keeps copies'}`,
      );
    }
    return lines.join('\n');
  },
});

function unknownLines(
  found: readonly {
    readonly provider: string;
    readonly version?: string | undefined;
    readonly label: string;
    readonly records: number;
    readonly example: string;
  }[],
): string {
  return columns(
    found.map(({ provider, version, label, records, example }) => [
      provider,
      version ?? '-',
      label,
      countText(records),
      `e.g. ${example}`,
    ]),
    [3],
  );
}
