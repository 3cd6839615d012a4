import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { CALLS } from './calls.ts';
import { costSection } from './cost.ts';

/** A line of the matrix. */
export interface Row {
  readonly title: string;
  readonly package: string;
  readonly version: string;
  readonly protocol: string;
  /** How many tools Pinhole listed. */
  readonly tools: number;
  /** Bytes of the largest answer that came through whole. */
  readonly largest: number;
}

/** The section that another test writes. */
const LOGS = '## Whose logs are read';

/** Writes docs/clients.md: which clients were run, how they connect, and that they passed. */
export function writeMatrix(file: string, rows: readonly Row[]): void {
  const head = ['client', 'package', 'MCP revision', 'tools seen', 'operations', 'largest answer', 'result'];
  const lines = rows.map(({ title, package: name, version, protocol, tools, largest }) => [
    title,
    `\`${name}\` ${version}`,
    protocol,
    String(tools),
    `${CALLS.length} of ${CALLS.length}`,
    `${largest.toLocaleString('en-US')} bytes`,
    'whole',
  ]);
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const operations = CALLS.map(({ title, tool }) => `- ${title} (\`${tool}\`)`).join('\n');
  const page = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const logs = page.slice(page.indexOf(LOGS));
  writeFileSync(
    file,
    `# Clients that were run

\`npm run test:clients\` writes this page when every client passes. It installs the newest release of each from npm,
starts it offline with an empty home against a scripted model (libraries: with a small driver), lets it start
\`pinhole mcp\` over stdio, and compares what the model is shown next with what Pinhole sent: each answer and each
error must be in it whole, at most 8,000 bytes.

${table}

## What the tool list costs
A client that loads every tool at once gets the core: the tools that answer most questions in one call. A client that
shows its model only names until a tool is needed gets all of them, and the core is marked to stay loaded
(\`_meta["anthropic/alwaysLoad"]\`). Pinhole tells them apart by the name with which they introduce themselves.
\`--toolsets\` lists something else (over HTTP: \`/mcp?toolsets=all\`). What is not listed still answers when it is
called.

${costSection()}

## What was run

In this order:

${operations}

${logs}`,
  );
}
