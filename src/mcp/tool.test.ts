import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Operation, operation, single } from '../contract/operation.ts';
import { describeTools } from './describe-tools.ts';
import { advertised, type Tool, toolsFor } from './tool.ts';

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

  test('says that a tool takes nothing', () => {
    expect(schemaOf({})).toEqual({ type: 'object', additionalProperties: false });
  });
});

describe('toolsFor', () => {
  const tool = (name: string, toolset: Tool['toolset'], readOnly: boolean): Tool => ({
    name,
    toolset,
    readOnly,
    description: '',
    inputSchema: {},
    outputSchema: {},
  });
  const tools = [tool('a', 'disk', true), tool('b', 'code', false), tool('c', 'every', false)];
  const names = (toolsets: ('disk' | 'code')[], readOnly: boolean) =>
    toolsFor(tools, { toolsets, readOnly }).map(({ name }) => name);

  test('chooses by toolset, with what comes with every one, in order', () => {
    expect(names(['disk'], false)).toEqual(['a', 'c']);
    expect(names(['code', 'disk'], false)).toEqual(['a', 'b', 'c']);
  });

  test('leaves out what changes state', () => {
    expect(names(['code', 'disk'], true)).toEqual(['a']);
  });
});

test('a tool passes its arguments through, for the contract to check', async () => {
  const [tool] = describeTools([declare({ input: z.strictObject({ path: z.string() }) })]);
  if (tool === undefined) throw new Error('expected a tool');
  expect(await advertised(tool?.inputSchema ?? {})['~standard'].validate({ colour: 'red' })).toEqual({
    value: { colour: 'red' },
  });
});
