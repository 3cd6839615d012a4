import { commandLine, startWords } from '../data/start-words.ts';
import { Panel } from '../ui/basics.tsx';
import { CopyLine } from '../ui/copy-line.tsx';

/** A command or a settings entry for each client, with the words that start Pinhole. */
function clientLines(): readonly { readonly name: string; readonly line: string }[] {
  const words = [...startWords.value, 'mcp'];
  const [command = '', ...args] = words;
  return [
    { name: 'Claude Code', line: `claude mcp add --scope user pinhole -- ${commandLine('mcp')}` },
    { name: 'Codex', line: `codex mcp add pinhole -- ${commandLine('mcp')}` },
    { name: 'Gemini CLI', line: `gemini mcp add --scope user pinhole ${command} -- ${args.join(' ')}` },
    {
      name: 'Cursor, ~/.cursor/mcp.json',
      line: JSON.stringify({ mcpServers: { pinhole: { command, args } } }),
    },
    {
      name: 'VS Code, .vscode/mcp.json',
      line: JSON.stringify({ servers: { pinhole: { type: 'stdio', command, args } } }),
    },
    {
      name: 'opencode, ~/.config/opencode/opencode.json',
      line: JSON.stringify({ mcp: { pinhole: { type: 'local', command: words, enabled: true } } }),
    },
  ];
}

/** How to connect an agent: one command for all clients, or one for each. */
export function SetupPanel() {
  return (
    <Panel title="Connect your agent">
      <div class="panel-body setup">
        <p class="quiet">This line adds Pinhole to every agent on this machine:</p>
        <CopyLine text={commandLine('setup')} />
        <details>
          <summary>One client only</summary>
          <dl>
            {clientLines().map(({ name, line }) => (
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
        </details>
      </div>
    </Panel>
  );
}
