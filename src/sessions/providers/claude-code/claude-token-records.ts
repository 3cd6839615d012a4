import type { ResponseUsage } from '../../model/event.ts';
import { count, filled, time } from '../../model/log-json.ts';
import { OBJECT } from '../../read/line-scanner-memory.ts';
import type { TokenRecords } from '../provider.ts';
import { SYNTHETIC } from './claude-assistant.ts';

const MESSAGE = [
  'id',
  'model',
  'stop_reason',
  'usage',
  'usage.input_tokens',
  'usage.cache_read_input_tokens',
  'usage.cache_creation_input_tokens',
  'usage.cache_creation.ephemeral_1h_input_tokens',
  'usage.output_tokens',
  'usage.output_tokens_details.thinking_tokens',
];
const RELAYED = 'data.message.message';

/** Records that say more than tokens. */
const OTHERS: ReadonlySet<unknown> = new Set([
  'summary',
  'custom-title',
  'ai-title',
  'agent-name',
  'cost-state',
]);

/** The records of a Claude Code log that say anything about tokens. */
export const claudeTokenRecords: TokenRecords = {
  words: ['"usage"'],
  shortWords: ['cost-state', '-title', 'leafUuid'],
  paths: [
    ...[
      'type',
      'timestamp',
      'uuid',
      'isSidechain',
      'agentId',
      'forkedFrom',
      'isApiErrorMessage',
      'requestId',
    ],
    ...['data.message.type', 'data.message.requestId'],
    ...MESSAGE.map((name) => `message.${name}`),
    ...MESSAGE.map((name) => `${RELAYED}.${name}`),
  ],
  tokens(values, { parentId, relation }) {
    const [type, timestamp, uuid, isSidechain, agentId, forkedFrom, isError, requestId] = values;
    if (OTHERS.has(type) || forkedFrom !== undefined) return undefined;
    const isAgent = isSidechain === true && filled(agentId) !== undefined;
    if (isAgent && (parentId === undefined || relation === undefined)) return undefined;
    const id = filled(uuid);
    const ms = time(timestamp);
    if (type === 'assistant') {
      const model = filled(values[OWN + 1]);
      if (model === SYNTHETIC || isError === true) return { ms, id, usage: undefined, model: undefined };
      return { ms, id, model, usage: usageAt(values, OWN, model, filled(requestId) ?? id, false) };
    }
    const model = filled(values[OF_SUBAGENT + 1]);
    const reports = type === 'progress' && values[SAID] === 'assistant' && model !== SYNTHETIC;
    const usage = reports ? usageAt(values, OF_SUBAGENT, model, filled(values[SAID + 1]), true) : undefined;
    return { ms, id, usage, model: undefined };
  },
};

/** Indexes of the values of what a record reports, of its own message, and of a subagent's message. */
const SAID = 8;
const OWN = 10;
const OF_SUBAGENT = OWN + MESSAGE.length;

function usageAt(
  values: readonly unknown[],
  at: number,
  model: string | undefined,
  otherId: string | undefined,
  relayed: boolean,
): ResponseUsage | undefined {
  if (values[at + 3] !== OBJECT) return undefined;
  const id = filled(values[at]) ?? otherId;
  const stop = values[at + 2];
  const cacheWrite = count(values[at + 6]);
  return {
    id: id === undefined ? undefined : `claude:${id}`,
    model,
    lowerBound: stop === null || stop === undefined,
    usage: {
      input: count(values[at + 4]),
      cached: count(values[at + 5]),
      cacheWrite,
      cacheWriteHour: Math.min(cacheWrite, count(values[at + 7])),
      output: count(values[at + 8]),
      reasoning: count(values[at + 9]),
      tool: 0,
    },
    relayed,
  };
}
