import { z } from 'zod';
import type { JsonSchema } from '../contract/input.ts';
import { collectAnswer } from '../team/collect-message.ts';
import { errorAnswers } from './openapi-errors.ts';

type Method = 'get' | 'post' | 'delete';

const text = (description: string, type = 'text/plain') => ({
  200: { description, content: { [type]: { schema: { type: 'string' } } } },
});
const bytes = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
});
const json = (description: string, data: JsonSchema) => ({
  200: {
    description,
    content: {
      'application/json': { schema: { type: 'object', properties: { data }, required: ['data'] } },
    },
  },
});
const body = (properties: JsonSchema, required: readonly string[] = []) => ({
  required: true,
  content: {
    'application/json': {
      schema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    },
  },
});
const inPath = (name: string, description: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
});
const inQuery = (name: string, description: string, schema: JsonSchema = { type: 'string' }) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});
const flag = (name: string, description: string) =>
  inQuery(name, description, { type: 'boolean', default: false });

/** Routes that are not operations, because they answer with streams or files, or because everybody may ask. */
export const STREAM_PATHS: Readonly<Record<string, Partial<Record<Method, JsonSchema>>>> = {
  '/api/collect': {
    post: {
      operationId: 'collect',
      summary:
        'Stores records of a log that `pinhole collect` sends to a team server; the answer says where to continue.',
      requestBody: {
        required: true,
        // Between versions of our own programs; not for others to send.
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      responses: {
        200: {
          description: 'What the server now has of the log.',
          content: { 'application/json': { schema: z.toJSONSchema(collectAnswer) } },
        },
        ...errorAnswers([400, 401, 403, 404, 413, 429, 503]),
      },
    },
  },
  '/api/code/matches': {
    get: {
      operationId: 'code_matches',
      summary: 'Every match of a pattern, as a stream of lines or of JSON messages in the form of ripgrep.',
      parameters: [
        { ...inQuery('pattern', 'regular expression'), required: true },
        inQuery('path', 'folder to search'),
        inQuery('case', 'whether case matters', {
          type: 'string',
          enum: ['smart', 'sensitive', 'insensitive'],
          default: 'smart',
        }),
        flag('word', 'whole words only'),
        flag('fixed', 'the pattern is plain text'),
        flag('hidden', 'search hidden files too'),
        flag('everything', 'search ignored and hidden files too'),
        {
          ...inQuery('glob', 'files to search', { type: 'array', items: { type: 'string' } }),
          explode: true,
        },
        inQuery('language', 'language to search'),
        inQuery('format', 'form of the answer', {
          type: 'string',
          enum: ['lines', 'json'],
          default: 'lines',
        }),
      ],
      responses: { ...text('All matches'), ...errorAnswers() },
    },
  },
  '/api/jobs/{job_id}/events': {
    get: {
      operationId: 'job_events',
      summary: 'A job as server-sent events: `job`, one per change, until it ends.',
      parameters: [inPath('job_id', 'job')],
      responses: { ...text('Events', 'text/event-stream'), ...errorAnswers() },
    },
  },
  '/api/live': {
    get: {
      operationId: 'live',
      summary: 'All changes as server-sent events: `hello`, `beat`, `job`, `sessions`, `session`.',
      parameters: [inQuery('session', 'session to follow')],
      responses: { ...text('Events', 'text/event-stream'), ...errorAnswers() },
    },
  },
  '/api/indexes/{index_id}/export': {
    get: {
      operationId: 'disk_export',
      summary: 'A whole disk index in the format of ncdu.',
      parameters: [
        inPath('index_id', 'index'),
        inQuery('format', 'format', { type: 'string', enum: ['ncdu'], default: 'ncdu' }),
      ],
      responses: {
        200: {
          description: 'The index',
          content: { 'application/json': { schema: { type: 'array', items: {} } } },
        },
        ...errorAnswers(),
      },
    },
  },
  '/api/indexes/{index_id}/nodes/{node_id}/content': {
    get: {
      operationId: 'download',
      summary: 'The content of a file, for a person on the page; takes ranges.',
      parameters: [inPath('index_id', 'index'), inPath('node_id', 'file')],
      responses: { 200: bytes('The file'), 206: bytes('The range'), ...errorAnswers() },
    },
  },
  '/api/highlight': {
    post: {
      operationId: 'highlight',
      summary: 'Colours for a piece of source text, line by line as pairs of text and kind.',
      requestBody: body({ language: { type: 'string' }, code: { type: 'string', maxLength: 200_000 } }, [
        'language',
        'code',
      ]),
      responses: {
        ...json('The lines; absent if there are no colours', {
          type: 'object',
          properties: { lines: { type: 'array', items: { type: 'array', items: {} } } },
        }),
        ...errorAnswers(),
      },
    },
  },
  '/api/sign-in': {
    get: {
      operationId: 'ways_to_sign_in',
      summary: 'Whether people can sign in with a provider, at `/api/sign-in/provider`.',
      security: [],
      responses: {
        ...json('The ways in', {
          type: 'object',
          properties: { provider: { type: 'boolean' } },
          required: ['provider'],
        }),
        ...errorAnswers([401, 403]),
      },
    },
    post: {
      operationId: 'sign_in',
      summary: 'Signs a browser in with the token, or with the code of a link of `pinhole open`.',
      security: [],
      requestBody: body({ token: { type: 'string' }, code: { type: 'string' } }),
      responses: { ...json('A cookie is set', signedIn()), ...errorAnswers([401, 403]) },
    },
    delete: {
      operationId: 'sign_out',
      summary: 'Signs the browser out.',
      security: [],
      responses: { ...json('The cookie is gone', signedIn()), ...errorAnswers([401, 403]) },
    },
  },
  '/api/openapi.json': {
    get: {
      operationId: 'openapi',
      summary: 'This document.',
      responses: {
        200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
        ...errorAnswers([401, 403]),
      },
    },
  },
};

function signedIn(): JsonSchema {
  return { type: 'object', properties: { signed_in: { type: 'boolean' } }, required: ['signed_in'] };
}
