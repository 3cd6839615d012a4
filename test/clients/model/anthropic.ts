import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { events, FINAL_WORDS, json, MARK, type ModelApi, type ModelCall } from './conversation.ts';

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).optional(),
});
const request = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  tools: z.array(z.unknown()).default([]),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(block)]) })),
});

const USAGE = {
  input_tokens: 100,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 10,
};

/** The Messages interface: Claude Code and opencode. */
export const anthropic: ModelApi = {
  isTurn: (path) => path.startsWith('/v1/messages') && !path.includes('count_tokens'),
  other: (path) => (path.includes('count_tokens') ? json({ input_tokens: 100 }) : undefined),

  read(body) {
    const { messages, tools } = request.parse(body);
    const blocks = messages
      .filter(({ role }) => role === 'user')
      .flatMap(({ content }) =>
        typeof content === 'string' ? [block.parse({ type: 'text', text: content })] : content,
      );
    return {
      scripted: tools.length > 0 && blocks.some(({ text = '' }) => text.includes(MARK)),
      results: blocks.filter(({ type }) => type === 'tool_result').map(resultText),
    };
  },

  reply({ body, call }) {
    const { model, stream } = request.parse(body);
    const message = {
      id: `msg_${randomUUID()}`,
      type: 'message',
      role: 'assistant',
      model,
      stop_sequence: null,
      usage: USAGE,
    };
    const { whole, empty, delta, stop_reason } = call === undefined ? words() : toolUse(call);
    if (stream !== true) return json({ ...message, content: [whole], stop_reason });
    return events(
      [
        { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
        { type: 'content_block_start', index: 0, content_block: empty },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: USAGE },
        { type: 'message_stop' },
      ].map((data) => ({ event: data.type, data })),
    );
  },
};

/** The one content block of a reply: whole, and as it starts and grows when streamed. */
function words() {
  const whole = { type: 'text', text: FINAL_WORDS };
  return {
    whole,
    empty: { ...whole, text: '' },
    delta: { type: 'text_delta', text: FINAL_WORDS },
    stop_reason: 'end_turn',
  };
}

function toolUse({ name, input }: ModelCall) {
  const whole = { type: 'tool_use', id: `toolu_${randomUUID().replaceAll('-', '')}`, name, input };
  return {
    whole,
    empty: { ...whole, input: {} },
    delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    stop_reason: 'tool_use',
  };
}

function resultText({ content = '' }: z.infer<typeof block>): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}
