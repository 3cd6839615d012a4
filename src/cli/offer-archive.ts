import { z } from 'zod';
import { closeConnections } from '../connect/call-background.ts';
import { countOf, sizeText } from '../contract/format.ts';
import { agrees } from './ask-person.ts';
import { cliCaller, cliEngine } from './cli-engine.ts';

/** The part of the state of the archive that decides what is offered. */
const stateSchema = z.object({
  on: z.boolean(),
  would_take: z.object({ logs: z.int(), bytes: z.int(), packed: z.int() }).optional(),
});

/** What an archive would cost, in a sentence. */
export function archiveCost({
  logs,
  bytes,
  packed,
}: {
  logs: number;
  bytes: number;
  packed: number;
}): string {
  return `Agents delete their logs, some after 30 days. Pinhole can keep copies: those of your ${countOf(logs, 'log')} (${sizeText(bytes)}) would take about ${sizeText(packed)}, compressed, redacted and readable only by you.`;
}

/** Asks a person whether copies of session logs are to be kept, with what that costs; Enter means no. */
export async function offerArchive(): Promise<void> {
  const engine = cliEngine();
  try {
    const answer = await engine.run('sessions_archive', {}, { caller: cliCaller('json') });
    const { on, would_take } = answer.ok ? stateSchema.parse(answer.envelope.data) : { on: true };
    if (on || would_take === undefined || would_take.logs === 0) return;
    if (!(await agrees(`\n${archiveCost(would_take)}\nKeep copies?`))) {
      process.stdout.write('No copies. Later: pinhole sessions archive on\n');
      return;
    }
    const kept = await engine.run('sessions_archive', { keep: 'on' }, { caller: cliCaller('text') });
    process.stdout.write(`${kept.rendered.text}\n`);
  } finally {
    await engine.close();
    closeConnections();
  }
}
