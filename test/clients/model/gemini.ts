import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { events, FINAL_WORDS, json, MARK, type ModelApi } from './conversation.ts';

const part = z.looseObject({
  text: z.string().optional(),
  functionResponse: z.looseObject({ response: z.looseObject({}) }).optional(),
});
const request = z.looseObject({
  contents: z.array(z.object({ role: z.string().optional(), parts: z.array(part).default([]) })),
  tools: z.array(z.unknown()).default([]),
  generationConfig: z.looseObject({ responseMimeType: z.string().optional() }).optional(),
});

/** The generateContent interface: Gemini CLI. */
export const gemini: ModelApi = {
  isTurn: (path) => /:(stream)?generateContent/i.test(path),
  other: (path) => (path.includes(':countTokens') ? json({ totalTokens: 100 }) : undefined),

  read(body) {
    const { contents, tools } = request.parse(body);
    const parts = contents.filter(({ role }) => role !== 'model').flatMap((content) => content.parts);
    return {
      scripted: tools.length > 0 && parts.some(({ text = '' }) => text.includes(MARK)),
      results: parts.flatMap(({ functionResponse }) =>
        functionResponse === undefined ? [] : [responseText(functionResponse.response)],
      ),
    };
  },

  reply({ path, body, call }) {
    const { generationConfig } = request.parse(body);
    const answered =
      call === undefined
        ? { text: generationConfig?.responseMimeType === 'application/json' ? ROUTING : FINAL_WORDS }
        : { functionCall: { id: randomUUID(), name: call.name, args: call.input } };
    const content = {
      candidates: [{ content: { role: 'model', parts: [answered] }, index: 0, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
      responseId: randomUUID(),
    };
    return path.includes(':stream') ? events([{ data: content }]) : json(content);
  },
};

/** The answer to the client's own side questions: which model to use, and who speaks next. */
const ROUTING = JSON.stringify({ reasoning: 'scripted', model_choice: 'flash', next_speaker: 'user' });

/** A result is `{output}`, a failure `{error}`. */
function responseText(response: Readonly<Record<string, unknown>>): string {
  const { output, error } = response;
  if (typeof output === 'string') return output;
  return typeof error === 'string' ? error : JSON.stringify(response);
}
