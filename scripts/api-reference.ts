import { type InputField, inputText } from '../src/app/input-text.ts';
import { BUDGET } from '../src/contract/caller.ts';
import { inputJsonSchema } from '../src/contract/input.ts';
import { columnsOf, type Operation } from '../src/contract/operation.ts';
import { DEFAULT_PER_MINUTE } from '../src/contract/rate.ts';

/** The API reference in Markdown: one section per operation, generated from its declaration. */
export function apiReference(operations: readonly Operation<never>[]): string {
  const groups = [...new Set(operations.map(({ toolset }) => toolset))];
  return [
    '# API reference',
    '',
    `Made from the operation list by \`npm run docs\`; do not edit. The envelope, errors, cursors and budgets are the same everywhere: see [how answers stay small](../answers.md). Unless it says otherwise below, an answer over MCP has at most ${BUDGET.default.toLocaleString('en')} bytes, and a caller may make ${DEFAULT_PER_MINUTE.toLocaleString('en')} calls of an operation per minute.`,
    '',
    ...groups.flatMap((group) => [
      `## ${title(group)}`,
      '',
      ...operations.filter(({ toolset }) => toolset === group).flatMap(section),
    ]),
  ].join('\n');
}

function title(group: Operation['toolset']): string {
  if (group === undefined) return 'REST and command line only';
  return group === 'every' ? 'In every toolset' : `Toolset \`${group}\``;
}

function section(operation: Operation<never>): string[] {
  const fields = Object.entries((inputJsonSchema(operation).properties ?? {}) as Record<string, InputField>);
  const routes = [operation.http ?? []].flat().map((route) => `\`${route}\``);
  return [
    `### ${operation.name}`,
    '',
    operation.summary,
    '',
    ...(routes.length > 0 ? [`- REST: ${routes.join(', ')}`] : []),
    ...(operation.command ? [`- Command: \`pinhole ${operation.command.words}\``] : []),
    ...(operation.rows === undefined ? [] : [`- Rows: ${listText(operation)}`]),
    ...(operation.readOnly ? [] : ['- Changes state']),
    ...(operation.perMinute ? [`- At most ${operation.perMinute} calls per minute`] : []),
    ...(operation.glance
      ? [`- At most ${operation.glance.toLocaleString('en')} bytes over MCP, unless more rows are asked for`]
      : []),
    '',
    ...(fields.length === 0
      ? []
      : [
          '| input | |',
          '|---|---|',
          ...fields.map(([name, field]) => `| \`${name}\` | ${inputText(field).replaceAll('|', '\\|')} |`),
          '',
        ]),
    ...(operation.command?.examples ? ['```sh', ...operation.command.examples, '```', ''] : []),
  ];
}

/** Which field holds the rows of a list, and their columns. */
function listText(operation: Operation<never>): string {
  const code = (names: string | readonly string[]) => [names].flat().map((name) => `\`${name}\``);
  return `${code(operation.rows ?? []).join(' or ')}; columns ${code(columnsOf(operation)).join(', ')}`;
}
