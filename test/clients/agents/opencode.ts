import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anthropic } from '../model/anthropic.ts';
import type { Agent } from './agent.ts';

export const opencode: Agent = {
  title: 'opencode',
  package: 'opencode-ai',
  api: anthropic,
  named: (tool) => ({ name: `pinhole_${tool}` }),
  prepare({ home, modelUrl, server, installed, prompt }) {
    mkdirSync(join(home, '.config', 'opencode'), { recursive: true });
    writeFileSync(
      join(home, '.config', 'opencode', 'opencode.json'),
      JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        provider: { anthropic: { options: { baseURL: `${modelUrl}/v1`, apiKey: 'none-needed' } } },
        mcp: {
          pinhole: {
            type: 'local',
            command: [server.command, ...server.args],
            environment: server.env,
            enabled: true,
          },
        },
      }),
    );
    const system = process.platform === 'win32' ? 'windows' : process.platform;
    return {
      command: installed.file(`opencode-${system}-${process.arch}`, 'bin', 'opencode'),
      args: ['run', '--model', 'anthropic/claude-sonnet-4-5', prompt],
      env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    };
  },
};
