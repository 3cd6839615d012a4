import { writeFileSync } from 'node:fs';
import { CALLS } from './calls.ts';

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
  writeFileSync(
    file,
    `# Clients that were run

\`npm run test:clients\` writes this page when every client passes. It installs the newest release of each from npm,
starts it offline with an empty home against a scripted model (libraries: with a small driver), lets it start
\`pinhole mcp\` over stdio, and compares what the model is shown next with what Pinhole sent: each answer and each
error must be in it whole, as valid JSON of at most 8,000 bytes.

${table}

The operations, in this order:

${operations}
`,
  );
}
