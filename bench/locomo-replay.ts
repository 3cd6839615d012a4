import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStaticEmbedder } from '../src/code/embed/static-embedder.ts';
import { openMeaning } from '../src/sessions/meaning/session-meaning.ts';
import { openSessions } from '../src/sessions/sessions.ts';

export interface LocomoResult {
  questions: number;
  hit1: number;
  hit5: number;
  mrr: number;
  /** CPU time per question in milliseconds, including the first read. */
  ms: number;
}

interface Turn {
  readonly speaker: string;
  readonly text?: string;
}

/**
 * LoCoMo as others run it: the sessions of a conversation are logs of one project, each turn a message "Speaker: text"
 * with the time of its session. Every question is asked verbatim; the right answers are the sessions its evidence names.
 */
export async function replayLocomo(file: string): Promise<LocomoResult> {
  const result: LocomoResult = { questions: 0, hit1: 0, hit5: 0, mrr: 0, ms: 0 };
  const weights = await openStaticEmbedder();
  const embedder = async () => ({
    name: weights.name,
    passages: async (texts: readonly string[]) => weights.passages('', texts),
    question: async (text: string) => weights.question(text),
  });
  const began = process.cpuUsage();
  for (const { conversation, qa } of JSON.parse(readFileSync(file, 'utf8'))) {
    const home = mkdtempSync(join(tmpdir(), 'pinhole-locomo-'));
    const logs = join(home, 'logs');
    mkdirSync(logs);
    for (const name of Object.keys(conversation).filter((key) => /^session_\d+$/.test(key)))
      writeSession(logs, name, conversation[name], String(conversation[`${name}_date_time`] ?? ''));
    const folders = [{ provider: 'claude_code', path: logs }];
    const sessions = await openSessions({ home, log: () => {}, folders, watch: false });
    await sessions.reading.refresh();
    const meaning = await openMeaning({ home, sessions, embedder, log: () => {} });
    const all = new Set((await sessions.list.page({}, undefined, 1_000)).map(({ id }) => id));
    const written = Object.keys(conversation).filter((key) => /^session_\d+$/.test(key)).length;
    if (all.size !== written) throw new Error(`${all.size} of ${written} sessions were read`);
    // A busy machine answers before everything is read, but this measures the ranking.
    while ((await meaning.search('', { sessions: all })).unread > 0);
    for (const { question, evidence } of qa) {
      const right = new Set(
        [...JSON.stringify(evidence ?? '').matchAll(/D(\d+):\d+/g)].map(([, n]) => `session_${n}`),
      );
      if (right.size === 0) continue;
      const { found } = await meaning.search(question, { sessions: all });
      const rank = found.findIndex(({ session }) => right.has(session)) + 1;
      result.questions++;
      if (rank === 1) result.hit1++;
      if (rank > 0 && rank <= 5) result.hit5++;
      if (rank > 0) result.mrr += 1 / rank;
    }
    await meaning.close();
    await sessions.close();
    rmSync(home, { recursive: true, force: true });
  }
  const { user, system } = process.cpuUsage(began);
  result.ms = (user + system) / 1000 / Math.max(1, result.questions);
  return result;
}

function writeSession(logs: string, name: string, turns: readonly Turn[], date: string): void {
  const [, hour = '10', minute = '0', half = 'am', day = '1 May, 2023'] =
    /^(\d+):(\d+) (am|pm) on (.+)$/.exec(date) ?? [];
  const start =
    Date.parse(`${day.replace(',', '')} UTC`) +
    ((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * 3_600_000 +
    Number(minute) * 60_000;
  const records = turns.flatMap(({ speaker, text }, at) =>
    text
      ? [
          {
            ...{ type: 'user', uuid: `${name}-${at}`, sessionId: name, cwd: '/work', version: '2.0.0' },
            timestamp: new Date(start + at * 60_000).toISOString(),
            message: { role: 'user', content: `${speaker}: ${text}` },
          },
        ]
      : [],
  );
  writeFileSync(
    join(logs, `${name}.jsonl`),
    `${records.map((record) => JSON.stringify(record)).join('\n')}\n`,
  );
}
