import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { events, FINAL_WORDS, MARK, type ModelApi } from './conversation.ts';

const part = z.looseObject({ text: z.string().optional() });
const item = z.looseObject({
  type: z.string(),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(part)]).nullish(),
  output: z.union([z.string(), z.array(part), z.looseObject({ content: z.string().optional() })]).optional(),
});
const request = z.looseObject({ input: z.array(item) });

/** The Responses interface: Codex. */
export const responses: ModelApi = {
  isTurn: (path) => path.includes('/responses'),

  read(body) {
    const { input } = request.parse(body);
    const prompts = input.filter(({ type, role }) => type === 'message' && role === 'user');
    return {
      scripted: prompts.some(({ content }) => joined(content).includes(MARK)),
      results: input.filter(({ type }) => type.endsWith('_output')).map(({ output }) => joined(output)),
    };
  },

  reply({ call }) {
    const response = { id: `resp_${randomUUID()}`, object: 'response' };
    const output =
      call === undefined
        ? {
            id: `msg_${randomUUID()}`,
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: FINAL_WORDS, annotations: [] }],
          }
        : {
            id: `fc_${randomUUID()}`,
            type: 'function_call',
            status: 'completed',
            call_id: `call_${randomUUID()}`,
            name: call.name,
            ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
            arguments: JSON.stringify(call.input),
          };
    return events(
      [
        { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: output },
        { type: 'response.output_item.done', output_index: 0, item: output },
        {
          type: 'response.completed',
          response: {
            ...response,
            status: 'completed',
            output: [output],
            usage: {
              input_tokens: 100,
              input_tokens_details: { cached_tokens: 0 },
              output_tokens: 10,
              output_tokens_details: { reasoning_tokens: 0 },
              total_tokens: 110,
            },
          },
        },
      ].map((data, sequence_number) => ({ event: data.type, data: { ...data, sequence_number } })),
    );
  },
};

function joined(value: z.infer<typeof item>['output'] | null): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(({ text = '' }) => text).join('\n') : (value.content ?? '');
}
