import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { responses } from '../model/responses.ts';
import type { Agent } from './agent.ts';

export const codex: Agent = {
  title: 'Codex',
  package: '@openai/codex',
  api: responses,
  named: (name) => ({ name, namespace: 'mcp__pinhole' }),
  prepare({ home, modelUrl, server, installed, prompt }) {
    mkdirSync(join(home, '.codex'));
    // JSON strings and lists are also TOML. Without `required` it asks the model before the tools are there.
    const settings = `
model = "gpt-5.2-codex"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = ${JSON.stringify(`${modelUrl}/v1`)}
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[mcp_servers.pinhole]
command = ${JSON.stringify(server.command)}
args = ${JSON.stringify(server.args)}
required = true

[mcp_servers.pinhole.env]
${Object.entries(server.env)
  .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  .join('\n')}
`;
    writeFileSync(join(home, '.codex', 'config.toml'), settings);
    return {
      command: process.execPath,
      args: [
        installed.file('@openai/codex/bin/codex.js'),
        'exec',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        prompt,
      ],
      env: { SCRIPTED_KEY: 'none-needed' },
    };
  },
};
