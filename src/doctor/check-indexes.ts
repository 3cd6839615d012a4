import type { Caller } from '../contract/caller.ts';
import type { Engine } from '../contract/engine.ts';
import { agoText, countText } from '../contract/format.ts';
import { isObject } from '../setup/settings-format.ts';
import type { Finding } from './doctor-finding.ts';

const STALE_MS = 30 * 86_400_000;

/** What is indexed, asked through the operations that everybody uses. */
export async function checkIndexes(engine: Engine, caller: Caller, now: number): Promise<readonly Finding[]> {
  const ask = async (operation: string): Promise<Reply> => {
    const answer = await engine.run(operation, {}, { caller });
    if (!answer.ok) return answer.error.message;
    return isObject(answer.envelope.data) ? answer.envelope.data : 'no answer';
  };
  return [...disk(await ask('disk_indexes'), now), ...sessions(await ask('sessions_doctor'))];
}

type Reply = Readonly<Record<string, unknown>> | string;

function failed(text: string): readonly Finding[] {
  return [{ check: 'indexes', state: 'fail', text, fix: 'pinhole logs shows what happened' }];
}

function disk(reply: Reply, now: number): readonly Finding[] {
  if (typeof reply === 'string') return failed(`disk: ${reply}`);
  const indexes = Array.isArray(reply.indexes) ? reply.indexes.filter(isObject) : [];
  if (indexes.length === 0)
    return [{ check: 'indexes', state: 'ok', text: 'disk: none yet; pinhole index PATH makes one' }];
  return indexes.map((index): Finding => {
    const scanned = Date.parse(String(index.scanned_at));
    const name = `disk ${index.index_id} ${index.root}: ${countText(Number(index.files))} files`;
    if (Number.isNaN(scanned)) return { check: 'indexes', state: 'ok', text: `${name}, scanning` };
    const text = `${name}, scanned ${agoText(scanned, now)}`;
    return now - scanned > STALE_MS
      ? { check: 'indexes', state: 'warn', text, fix: `pinhole index ${index.root}` }
      : { check: 'indexes', state: 'ok', text };
  });
}

function sessions(reply: Reply): readonly Finding[] {
  if (typeof reply === 'string') return failed(`sessions: ${reply}`);
  const count = (value: unknown) => countText(Number(value ?? 0));
  const text = `sessions: ${count(reply.sessions)} sessions, ${count(reply.events)} events, ${count(reply.bad_lines)} bad lines`;
  const unknown = Array.isArray(reply.unknown) ? reply.unknown.length : 0;
  const findings: Finding[] = [
    unknown === 0
      ? { check: 'indexes', state: 'ok', text }
      : {
          check: 'indexes',
          state: 'warn',
          text: `${text}, ${unknown} kinds of records unknown`,
          fix: 'pinhole sessions doctor lists them; a newer Pinhole may know them',
        },
  ];
  const secrets = isObject(reply.secrets) ? Object.entries(reply.secrets) : [];
  if (secrets.length > 0)
    findings.push({
      check: 'indexes',
      state: 'ok',
      text: `secrets redacted: ${secrets.map(([kind, n]) => `${kind} ${count(n)}`).join(', ')}`,
    });
  return findings;
}
