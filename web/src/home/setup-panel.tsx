import { Panel } from '../ui/basics.tsx';
import { CopyLine } from '../ui/copy-line.tsx';

const CLIENTS: readonly { readonly name: string; readonly line: string }[] = [
  { name: 'All clients on this machine', line: 'npx -y @pinhole-tools/pinhole setup' },
  { name: 'Claude Code', line: 'claude mcp add --scope user pinhole -- npx -y @pinhole-tools/pinhole mcp' },
  { name: 'Codex', line: 'codex mcp add pinhole -- npx -y @pinhole-tools/pinhole mcp' },
  { name: 'Gemini CLI', line: 'gemini mcp add --scope user pinhole npx -- -y @pinhole-tools/pinhole mcp' },
  {
    name: 'Cursor, ~/.cursor/mcp.json',
    line: '{"mcpServers":{"pinhole":{"command":"npx","args":["-y","@pinhole-tools/pinhole","mcp"]}}}',
  },
  {
    name: 'VS Code, .vscode/mcp.json',
    line: '{"servers":{"pinhole":{"type":"stdio","command":"npx","args":["-y","@pinhole-tools/pinhole","mcp"]}}}',
  },
  {
    name: 'opencode, ~/.config/opencode/opencode.json',
    line: '{"mcp":{"pinhole":{"type":"local","command":["npx","-y","@pinhole-tools/pinhole","mcp"],"enabled":true}}}',
  },
];

/** How to connect an agent: one line for each client. */
export function SetupPanel() {
  return (
    <Panel title="Connect your agent">
      <div class="panel-body setup">
        <dl>
          {CLIENTS.map(({ name, line }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <CopyLine text={line} />
              </dd>
            </div>
          ))}
          <div>
            <dt>Any client over HTTP, with the token of pinhole token</dt>
            <dd>
              <CopyLine text={`${location.origin}/mcp`} />
            </dd>
          </div>
        </dl>
      </div>
    </Panel>
  );
}
