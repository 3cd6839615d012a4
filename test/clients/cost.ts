import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { BUDGET } from '../../src/contract/caller.ts';
import { instructionsFor } from '../../src/mcp/instructions.ts';
import { isCore, listedTools } from '../../src/mcp/tool.ts';
import { TOOLS } from '../../src/mcp/tools.data.ts';

/** Clients by the name that they introduce themselves with. */
export const CLIENTS = [
  { title: 'Claude Code', name: 'claude-code', defers: true },
  { title: 'Codex', name: 'codex-mcp-client', defers: false },
  { title: 'Gemini CLI', name: 'gemini-cli-mcp-client', defers: false },
  { title: 'opencode', name: 'opencode', defers: false },
  { title: 'any other', name: 'unknown', defers: false },
] as const;

interface Priced {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
}

/** o200k tokens of a tool as models see it. */
export function tokensOf({ name, description, inputSchema }: Priced): number {
  return countTokens(JSON.stringify({ name, description, inputSchema }));
}

export function tokensOfAll(tools: readonly Priced[]): number {
  return tools.reduce((sum, tool) => sum + tokensOf(tool), 0);
}

const CHOICE = { toolsets: undefined, readOnly: false, budget: BUDGET.default, command: 'pinhole' } as const;

/** What a client loads into every conversation. */
export function loadedBy({ name, defers }: (typeof CLIENTS)[number]) {
  const listed = listedTools(TOOLS, CHOICE, name);
  const loaded = defers ? listed.filter(isCore) : listed;
  const instructions = countTokens(instructionsFor(TOOLS, CHOICE));
  return { listed, loaded, tokens: instructions + tokensOfAll(loaded) };
}

/** The section of docs/clients.md on what the tool list costs. */
export function costSection(): string {
  const rows = CLIENTS.map((client) => {
    const { listed, loaded, tokens } = loadedBy(client);
    const counts = [listed.length, loaded.length, tokens].map((count) => count.toLocaleString('en-US'));
    return [client.title, `\`${client.name}\``, ...counts];
  });
  const head = ['client', 'introduces itself as', 'tools listed', 'loaded at once', 'tokens loaded'];
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const all = listedTools(TOOLS, { ...CHOICE, toolsets: ['all'] });
  return `<!-- npm run docs writes this section -->
${table}

Tokens are of the o200k encoding: names, descriptions and input schemas of the loaded tools, with the instructions.
All ${all.length} tools together have ${tokensOfAll(all).toLocaleString('en-US')}. The tools of the core are ${loadedBy(
    CLIENTS[1],
  )
    .loaded.map(({ name }) => `\`${name}\``)
    .join(', ')}.
<!-- end -->`;
}

/** The page with its section up to date. */
export function withCosts(page: string): string {
  return page.replace(/<!-- npm run docs[\s\S]*<!-- end -->/, () => costSection());
}
