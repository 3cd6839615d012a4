import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const EVENTS = 5_000;

/** A session of 5,000 events in the form of Claude Code. */
export function writeSession(home) {
  const id = '5c5c5c5c-0000-4000-8000-000000000001';
  const records = [];
  let seconds = 0;
  const base = (type) => ({
    type,
    uuid: `u${records.length}`,
    parentUuid: records.length === 0 ? null : `u${records.length - 1}`,
    sessionId: id,
    cwd: home,
    version: '2.1.197',
    isSidechain: false,
    timestamp: new Date(Date.now() - 7_200_000 + 1_000 * seconds++).toISOString(),
  });
  const usage = {
    input_tokens: 4,
    output_tokens: 90,
    cache_read_input_tokens: 40_000,
    cache_creation_input_tokens: 600,
  };
  for (let step = 0; records.length < EVENTS; step++) {
    if (step % 60 === 0)
      records.push({
        ...base('user'),
        message: { role: 'user', content: `part ${step / 60}: go on with the next file` },
      });
    const message = {
      id: `m${step}`,
      role: 'assistant',
      model: 'claude-opus-4-5',
      stop_reason: 'tool_use',
      usage,
    };
    const call = {
      type: 'tool_use',
      id: `t${step}`,
      name: 'Bash',
      input: { command: `npm test -- part-${step}` },
    };
    records.push({ ...base('assistant'), requestId: `r${step}`, message: { ...message, content: [call] } });
    const lines = Array.from(
      { length: 1 + (step % 20) },
      (_, i) => `line ${i} of the output of part ${step}`,
    );
    const result = { type: 'tool_result', tool_use_id: `t${step}`, content: lines.join('\n') };
    records.push({ ...base('user'), message: { role: 'user', content: [result] } });
  }
  const folder = join(home, '.claude', 'projects', 'bench');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return id;
}
