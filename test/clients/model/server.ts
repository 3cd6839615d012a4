import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Conversation, ModelApi, Reply, Script } from './conversation.ts';

/** A model on loopback that plays a script and remembers what it was shown. */
export interface ScriptedModel {
  readonly url: string;
  /** The requests in the scripted conversation, oldest first, with their text. */
  readonly requests: readonly (Conversation & { readonly text: string })[];
  close(): Promise<void>;
}

/** Starts a model that speaks one vendor's interface. */
export async function startModel(api: ModelApi, script: Script): Promise<ScriptedModel> {
  const requests: (Conversation & { text: string })[] = [];

  function answer(path: string, body: string): Reply | undefined {
    if (!api.isTurn(path)) return api.other?.(path);
    const parsed: unknown = JSON.parse(body);
    const conversation = api.read(parsed);
    if (!conversation.scripted) return api.reply({ path, body: parsed, call: undefined });
    requests.push({ ...conversation, text: body });
    return api.reply({ path, body: parsed, call: script(conversation.results) });
  }

  const server = createServer(async (request, response) => {
    try {
      const reply = answer(request.url ?? '/', await text(request));
      response.writeHead(reply === undefined ? 404 : 200, {
        'content-type': reply?.type ?? 'application/json',
      });
      response.end(reply?.body ?? '{"error":{"type":"not_found_error","message":"not part of the script"}}');
    } catch (error) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
