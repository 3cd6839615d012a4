import { dirname } from 'node:path';
import type { ParsedRecord } from '../../model/event.ts';
import { type JsonObject, object, text, time } from '../../model/log-json.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { fileOfStored, idOfStored } from '../../read/stored.ts';
import { chatReader, usageOf } from '../chat-records.ts';
import type { Provider } from '../provider.ts';
import { HISTORY, historyFiles } from './aider-files.ts';
import { aiderChats } from './aider-store.ts';

/**
 * Chats: `.aider.chat.history.md` in each project, one after the other, as Markdown. They have no ids, only a start
 * time (those of prompts are in `.aider.input.history`), rounded token counts, and neither the output nor the outcome
 * of commands.
 */
export const aider: Provider = {
  id: 'aider',
  title: 'Aider',
  mark: 'a',
  colour: 'var(--success)',
  unseen: true,
  publicLogs: 6,
  resume: 'aider --restore-chat-history',

  variables: ['AIDER_CHAT_HISTORY_FILE'],
  logFolders: (env, home) => historyFiles(env, home),
  logEndings: [HISTORY],
  place: (path) => ({ id: idOfStored(path), cwd: dirname(fileOfStored(path) ?? path) }),

  store: aiderChats,
  unrecorded: { cached: 'sometimes', cacheWrite: 'sometimes', reasoning: 'always', answerTimes: 'always' },
  read: readRecord,
  tools: toolsNamed({ edit: ['edit'], write: ['write'], execute: ['run'] }),
};

const readChat = chatReader('aider');

function readRecord(record: JsonObject): ParsedRecord {
  const ms = time(record.at);
  const said = text(record.text) ?? '';
  switch (record.type) {
    case 'tokens':
      return {
        label: 'tokens',
        known: true,
        ms,
        parts: [{ type: 'token_usage', text: said }],
        response: text(record.response),
        usage: { id: `aider:${text(record.id)}`, usage: usageOf(object(record.usage)) },
      };
    case 'note':
      return { label: 'note', known: true, ms, parts: [{ type: 'notification', text: said }] };
    case 'interrupt':
      return {
        label: 'interrupt',
        known: true,
        ms,
        parts: [{ type: 'interrupt', text: said }],
        marks: ['interrupted'],
      };
    default:
      return readChat(record);
  }
}
