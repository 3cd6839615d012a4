import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gemini } from '../model/gemini.ts';
import type { Agent } from './agent.ts';

export const geminiCli: Agent = {
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  api: gemini,
  named: (tool) => ({ name: `mcp_pinhole_${tool}` }),
  prepare({ home, modelUrl, server, installed, prompt }) {
    mkdirSync(join(home, '.gemini'));
    writeFileSync(
      join(home, '.gemini', 'settings.json'),
      JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { pinhole: { ...server, trust: true } },
      }),
    );
    return {
      command: process.execPath,
      args: [
        installed.file('@google/gemini-cli/bundle/gemini.js'),
        '--skip-trust',
        '--yolo',
        '--model',
        'gemini-2.5-pro',
        '--prompt',
        prompt,
      ],
      env: { GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: 'none-needed' },
    };
  },
};
