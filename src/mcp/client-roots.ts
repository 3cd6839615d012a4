import { fileURLToPath } from 'node:url';
import type { McpServer } from '@modelcontextprotocol/server';

const ANSWER_MS = 2_000;

/** The folders that the client declares as its workspace, asked for once; only older clients declare any. */
export function clientRoots(server: McpServer): () => Promise<readonly string[]> {
  let asked: Promise<readonly string[]> | undefined;
  return () => {
    if (server.server.getClientCapabilities()?.roots === undefined) return Promise.resolve([]);
    asked ??= server.server
      .listRoots(undefined, { timeout: ANSWER_MS })
      .then(({ roots }) => roots.flatMap(({ uri }) => folderOf(uri)))
      .catch(() => []);
    return asked;
  };
}

function folderOf(uri: string): string[] {
  try {
    return uri.startsWith('file:') ? [fileURLToPath(uri)] : [];
  } catch {
    return [];
  }
}
