import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { OwnerRecord } from './owner-file.ts';
import { checkSocket } from './socket.ts';

// node:http instead of fetch: the bridge starts faster and stays smaller without the fetch machinery.
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

export interface Reply {
  readonly status: number;
  readonly body: string;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/** The owner was reached and took too long. */
export class NoAnswer extends Error {}

/** One request to the owner, through its socket. */
export function callOwner(
  owner: Pick<OwnerRecord, 'socket'>,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const req = send(owner, method, path, body, options, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => {
        // Answered before all of it was sent: the rest would break the next call on this connection.
        if (!req.writableFinished) req.destroy();
        resolve({ status: res.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
      });
      res.on('error', reject);
    });
    req.on('timeout', () => req.destroy(new NoAnswer('it does not answer')));
    listenToErrors(req, reject);
  });
}

/** A request whose answer is read as it comes; rejects with the owner's words when it is not 200. */
export function streamOwner(
  owner: Pick<OwnerRecord, 'socket'>,
  path: string,
  body: unknown,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const req = send(owner, 'POST', path, body, {}, (res) => {
      if (res.statusCode === 200) resolve(res);
      else {
        let text = '';
        res.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        res.on('end', () => reject(new Error(text)));
      }
    });
    listenToErrors(req, reject);
  });
}

/** Sends nothing unless the socket is this user's own. */
function send(
  { socket }: Pick<OwnerRecord, 'socket'>,
  method: string,
  path: string,
  body: unknown,
  { signal, timeoutMs }: CallOptions,
  answered: (res: IncomingMessage) => void,
): ClientRequest {
  checkSocket(socket);
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const req = request(
    {
      agent,
      socketPath: socket,
      method,
      path,
      headers:
        payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) },
      ...(signal ? { signal } : {}),
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    },
    answered,
  );
  req.end(payload);
  return req;
}

/** A connection may break when no request uses it any more; an error without a listener would end this process. */
function listenToErrors(req: ClientRequest, reject: (error: Error) => void): void {
  req.on('error', reject);
  req.on('socket', (socket) => {
    if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore);
  });
}

function ignore(): void {}

/** Lets the process end although connections are kept for reuse. */
export function closeConnections(): void {
  agent.destroy();
}
