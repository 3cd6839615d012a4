import { z } from 'zod';
import { columns, countOf, countText, sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { freshness, iso, type SessionServices } from './shared.ts';

const SOON_DAYS = 7;
const SHOWN = 100;

/** For people: what the readers did not understand, and what will be lost. */
export const sessionsDoctor = operation<SessionServices>()({
  name: 'sessions_doctor',
  toolset: undefined,
  readOnly: true,
  summary:
    'What was read of the session logs, what the readers did not know by client version, and what the clients delete soon.',
  input: z.strictObject({}),
  http: 'GET /api/agent-health',
  command: { words: 'sessions doctor', examples: ['pinhole sessions doctor'] },

  async run(_input, { sessions }) {
    const meta = await freshness(sessions);
    const health = await sessions.reading.health();
    const expiring = await sessions.archive.expiring(SOON_DAYS);
    const archive = await sessions.archive.state();
    return single(
      {
        folders: sessions.reading.folders.map((folder) => ({ provider: folder.provider, path: folder.path })),
        logs: health.files,
        bytes: health.bytes,
        sessions: health.sessions,
        events: health.events,
        archive: { on: archive.on, logs: archive.logs, bytes: archive.bytes, only_here: archive.onlyHere },
        bad_lines: health.badLines,
        unreadable: sessions.reading.unreadable().slice(0, SHOWN),
        unknown: await Promise.all(
          health.unknown.slice(0, SHOWN).map(async ({ example, ...found }) => ({
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
              : { id: await sessions.list.shortId(expiring[0].id), at: iso(expiring[0].at) },
        },
      },
      { meta },
    );
  },

  text: (data, { units }) => {
    const lines = [
      `${countText(data.logs)} logs (${sizeText(data.bytes, units)}), ${countText(data.sessions)} sessions, ${countText(data.events)} events, ${countText(data.bad_lines)} bad lines`,
      ...data.folders.map((folder) => `  ${folder.provider.padEnd(12)} ${folder.path}`),
    ];
    for (const { path, reason } of data.unreadable) lines.push(`cannot read ${path}: ${reason}`);
    if (data.unknown.length === 0) lines.push('every record type is known');
    else {
      lines.push('records of unknown types (kept, and shown by sessions event):');
      lines.push(
        columns(
          data.unknown.map((found) => [
            found.provider,
            found.version ?? '-',
            found.label,
            countText(found.records),
            `e.g. ${found.example}`,
          ]),
          [3],
        ),
      );
    }
    const { archive } = data;
    lines.push(
      archive.on || archive.logs > 0
        ? `archive ${archive.on ? 'on' : 'off'}: ${countText(archive.logs)} logs kept (${sizeText(archive.bytes, units)}), ${countText(archive.only_here)} of them left nowhere else`
        : 'archive off',
    );
    const { first, sessions, within_days } = data.deleted_soon;
    if (first !== undefined) {
      lines.push(
        `${countOf(sessions, 'log')} will be deleted by the client within ${within_days} days, the first (${first.id}) on ${first.at.slice(0, 10)}${archive.on ? '; their copies stay' : '; pinhole sessions archive on keeps them'}`,
      );
    }
    return lines.join('\n');
  },
});
