import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anthropic } from '../model/anthropic.ts';
import type { Agent } from './agent.ts';

export const claudeCode: Agent = {
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  api: anthropic,
  named: (tool) => ({ name: `mcp__pinhole__${tool}` }),
  prepare({ home, modelUrl, server, installed, prompt }) {
    const settings = join(home, 'mcp.json');
    writeFileSync(settings, JSON.stringify({ mcpServers: { pinhole: { type: 'stdio', ...server } } }));
    return {
      command: process.execPath,
      args: [
        installed.file('@anthropic-ai/claude-code/cli-wrapper.cjs'),
        '--print',
        prompt,
        '--mcp-config',
        settings,
        '--strict-mcp-config',
        '--allowedTools',
        'mcp__pinhole',
      ],
      env: {
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: 'none-needed',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_ERROR_REPORTING: '1',
        DISABLE_TELEMETRY: '1',
      },
    };
  },
};
