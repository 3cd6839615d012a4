import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Operation, operation, single } from '../contract/operation.ts';
import { describeTools } from './describe-tools.ts';
import { advertised, listedTools, type Tool, type ToolChoice, toolGroups } from './tool.ts';

function declare(changes: Partial<Operation<never>>): Operation<never> {
  return {
    ...operation()({
      name: 'look',
      toolset: 'disk',
      readOnly: true,
      summary: 'Looks.',
      input: z.strictObject({}),
      data: z.object({}),
      run: () => single({}),
      text: () => '',
    }),
    ...changes,
  };
}

const schemaOf = (changes: Partial<Operation<never>>) => describeTools([declare(changes)])[0]?.inputSchema;

describe('describeTools', () => {
  test('keeps names, types, choices and upper bounds, and leaves out what no model needs', () => {
    const input = z.strictObject({
      path: z.string().min(1).max(4096).describe('the folder'),
      kind: z.enum(['file', 'dir']).default('file'),
      depth: z.int().min(0).max(9).default(3),
      least: z.int().min(2).max(9).optional(),
      deep: z.boolean().default(false),
      names: z.array(z.string().max(80)).max(10).optional(),
    });
    expect(schemaOf({ input })).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string' },
        kind: { type: 'string', enum: ['file', 'dir'], default: 'file' },
        depth: { type: 'integer', maximum: 9 },
        least: { type: 'integer', minimum: 2, maximum: 9 },
        deep: { type: 'boolean' },
        names: { type: 'array', items: { type: 'string' } },
      },
      required: ['path'],
    });
  });

  test('takes properties for names, not for keywords', () => {
    const input = z.strictObject({
      minimum: z.string().optional(),
      default: z.string().optional(),
      description: z.string().optional(),
    });
    expect(schemaOf({ input })).toMatchObject({
      properties: {
        minimum: { type: 'string' },
        default: { type: 'string' },
        description: { type: 'string' },
      },
    });
  });

  test('does not list what is unlisted, nor operations without a toolset', () => {
    const input = z.strictObject({ path: z.string(), raw: z.boolean().optional() });
    expect(schemaOf({ input, unlisted: ['raw'] })).toEqual({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    });
    expect(describeTools([declare({ toolset: undefined })])).toEqual([]);
  });

  test('describes in a few words what agents guess wrong', () => {
    const input = z.strictObject({ glob: z.array(z.string()).optional(), output: z.string().optional() });
    expect(schemaOf({ input, name: 'regex_search' })).toMatchObject({
      properties: {
        glob: { type: 'array', items: { type: 'string' }, description: "'*.ts', '!test/**'" },
        output: { type: 'string' },
      },
    });
    expect(schemaOf({ input, name: 'other' })).toMatchObject({ properties: { output: { type: 'string' } } });
    const since = z.strictObject({ since: z.string() });
    expect(schemaOf({ input: since })).toMatchObject({
      properties: { since: { description: '7d or a date' } },
    });
  });

  test('says that a tool takes nothing', () => {
    expect(schemaOf({})).toEqual({ type: 'object', additionalProperties: false });
  });
});

describe('what is listed', () => {
  const tool = (name: string, toolset: Tool['toolset'], readOnly = true): Tool => ({
    name,
    toolset,
    readOnly,
    description: '',
    inputSchema: {},
    outputSchema: {},
  });
  const tools = [
    tool('regex_search', 'code'),
    tool('semantic_search', 'code'),
    tool('cd', 'disk'),
    tool('index', 'every', false),
    tool('job_progress', 'every', false),
    tool('search_events', 'legacy'),
  ];
  const names = (toolsets: ToolChoice['toolsets'], client?: string, readOnly = false) =>
    listedTools(tools, { toolsets, readOnly }, client).map(({ name }) => name);

  test('the core, unless the client loads tools when they are needed', () => {
    expect(names(undefined)).toEqual(['regex_search']);
    expect(names(undefined, 'codex-mcp-client')).toEqual(['regex_search']);
    expect(names(undefined, 'claude-code')).toEqual(names(['all']));
  });

  test('chosen toolsets, with what comes with every one, in order', () => {
    expect(names(['disk'])).toEqual(['cd', 'index', 'job_progress']);
    expect(names(['core', 'disk'])).toEqual(['regex_search', 'cd', 'index', 'job_progress']);
    expect(names(['all'])).toEqual(['regex_search', 'semantic_search', 'cd', 'index', 'job_progress']);
    expect(names(['legacy'])).toEqual(['index', 'job_progress', 'search_events']);
    expect(names(['core'], 'claude-code')).toEqual(['regex_search']);
  });

  test('nothing that changes state, if so wanted', () => {
    expect(names(['core', 'disk'], undefined, true)).toEqual(['regex_search', 'cd']);
  });

  test.each([
    ['code,disk', ['code', 'disk']],
    ['disk, code', ['code', 'disk']],
    ['all', ['all']],
    ['kitchen', undefined],
    ['code,kitchen', undefined],
    ['', undefined],
  ])('--toolsets %j', (list, groups) => {
    expect(toolGroups(list)).toEqual(groups);
  });
});

test('a tool passes its arguments through, for the contract to check', async () => {
  const [tool] = describeTools([declare({ input: z.strictObject({ path: z.string() }) })]);
  if (tool === undefined) throw new Error('expected a tool');
  expect(await advertised(tool?.inputSchema ?? {})['~standard'].validate({ colour: 'red' })).toEqual({
    value: { colour: 'red' },
  });
});
