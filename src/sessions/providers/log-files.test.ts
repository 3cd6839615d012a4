import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { claudeCode } from './claude-code/index.ts';
import { gemini } from './gemini/index.ts';
import { PROVIDERS } from './index.ts';
import { findLogs, logAt, logFile, logFolders } from './log-files.ts';

const ID = 'aaaaaaaa-1111-4111-8111-111111111111';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pinhole-find-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('where the agents keep their logs', () => {
  const paths = (env: NodeJS.ProcessEnv) => logFolders(PROVIDERS, env).map((folder) => folder.path);

  test('their default folders', () => {
    expect(paths({ HOME: '/home/u' })).toEqual([
      '/home/u/.claude/projects',
      '/home/u/.config/claude/projects',
      '/home/u/.codex/sessions',
      '/home/u/.codex/archived_sessions',
      '/home/u/.gemini/tmp',
      '/home/u/.local/share/opencode',
      '/home/u/.local/share/kilo',
      '/home/u/.qwen/projects',
      '/home/u/.copilot/session-state',
      '/home/u/.pi/agent/sessions',
      '/home/u/.omp/agent/sessions',
      '/home/u/.kimi-code/sessions',
      '/home/u/.cline/data/sessions',
      '/home/u/.factory/sessions',
      '/home/u/.grok/sessions',
      '/home/u/.local/share/goose/sessions',
      '/home/u/.cursor/projects',
      '/home/u/.local/share/zed/threads',
      '/home/u/Library/Application Support/Zed/threads',
      '/home/u/.local/share/amp/threads',
    ]);
    expect(paths({ HOME: '/home/u', XDG_CONFIG_HOME: '/x' })[1]).toBe('/x/claude/projects');
  });

  test('where their variables point, several folders for Claude Code', () => {
    const env = { HOME: '/h', CLAUDE_CONFIG_DIR: '/a, /b,', CODEX_HOME: '/c', GEMINI_CLI_HOME: '/g' };
    expect(paths(env).slice(0, 5)).toEqual([
      '/a/projects',
      '/b/projects',
      '/c/sessions',
      '/c/archived_sessions',
      '/g/.gemini/tmp',
    ]);
  });
});

test('logs of every kind are found, files beside them are not', () => {
  const logs = [
    `.claude/projects/-p/${ID}.jsonl`,
    '.claude/projects/-p/agent-12345678.jsonl',
    `.claude/projects/-p/${ID}/subagents/agent-a1b2c3.jsonl`,
    `.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-${ID}.jsonl`,
    `.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-${ID}_0001.jsonl`,
    `.codex/sessions/2026/02/01/rollout-2026-02-01T10-00-00-${ID}.jsonl.zst`,
    `.codex/archived_sessions/rollout-2026-01-01T10-00-00-${ID}.jsonl`,
    '.gemini/tmp/app/chats/session-2026-03-01T10-00-12345678.json',
    '.gemini/tmp/app/chats/session-2026-03-01T10-00-12345678.jsonl',
    `.gemini/tmp/app/chats/${ID}/g4ix5h.jsonl`,
  ];
  const others = [
    '.claude/projects/-p/sessions-index.json',
    `.claude/projects/-p/${ID}/subagents/agent-a1b2c3.meta.json`,
    `.claude/projects/-p/${ID}/tool-results/toolu_1.txt`,
    '.claude/projects/-p/memory/notes.jsonl',
    '.claude/history.jsonl',
    '.codex/history.jsonl',
    '.codex/session_index.jsonl',
    '.gemini/tmp/app/logs.json',
    '.gemini/tmp/app/checkpoint-x.json',
    '.gemini/tmp/app/tool-outputs/session-x/out.txt',
    '.gemini/tmp/app/chats/session-2026-03-01T10-00-12345678.jsonl.tmp-77',
    '.gemini/tmp/app/chats/session-2026-03-01T10-00-12345678.jsonl.unreadable-1',
  ];
  for (const path of [...logs, ...others]) writeLog(join(home, path), '{}');
  const found = findLogs(PROVIDERS, logFolders(PROVIDERS, { HOME: home })).map((log) =>
    log.path.slice(home.length + 1),
  );
  expect(found.sort()).toEqual([...logs].sort());
});

test('a changed path is a log or not, whatever the folders above the log folder are called', () => {
  const folders = logFolders(PROVIDERS, { HOME: '/srv/memory/checkpoints' });
  const at = (path: string) => logAt(PROVIDERS, folders, `/srv/memory/checkpoints/${path}`)?.provider;
  expect(at(`.claude/projects/-p/${ID}.jsonl`)).toBe('claude_code');
  expect(at('.claude/projects/-p/memory/notes.jsonl')).toBeUndefined();
  expect(at('.gemini/tmp/app/chats/session-1.json')).toBe('gemini');
  expect(at('.gemini/tmp/app/logs.json')).toBeUndefined();
  expect(at('elsewhere/x.jsonl')).toBeUndefined();
});

describe('what the place of a log says', () => {
  test('Claude Code: the session, the subagent and its parent, what was asked of it', () => {
    const main = join(home, `projects/-p/${ID}.jsonl`);
    expect(logFile(claudeCode, main)).toMatchObject({ id: ID });
    const agent = join(home, `projects/-p/${ID}/subagents/agent-a1b2c3.jsonl`);
    writeLog(agent.replace('.jsonl', '.meta.json'), '{"agentType":"Explore","toolUseId":"toolu_1"}');
    expect(logFile(claudeCode, agent)).toMatchObject({
      id: 'a1b2c3',
      parentId: ID,
      agentName: 'Explore',
      spawnCall: 'toolu_1',
    });
  });

  test('Gemini CLI: the project by its file, by the list of projects, by its hash; the parent by the folder', () => {
    const chat = (slug: string) =>
      join(home, `.gemini/tmp/${slug}/chats/session-2026-03-01T10-00-12345678.jsonl`);
    writeLog(join(home, '.gemini/tmp/one/.project_root'), '/srv/one\n');
    writeLog(join(home, '.gemini/projects.json'), '{"projects":{"/srv/two":"two","/srv/three":"three"}}');
    expect(logFile(gemini, chat('one')).cwd).toBe('/srv/one');
    expect(logFile(gemini, chat('two')).cwd).toBe('/srv/two');
    const hash = createHash('sha256').update('/srv/three').digest('hex');
    expect(logFile(gemini, chat(hash)).cwd).toBe('/srv/three');
    expect(logFile(gemini, chat('four')).cwd).toBeUndefined();
    expect(logFile(gemini, join(home, `.gemini/tmp/one/chats/${ID}/g4.jsonl`)).parentId).toBe(ID);
  });
});
