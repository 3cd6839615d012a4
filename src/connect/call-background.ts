import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { BackgroundRecord } from './background-record.ts';
import { checkSocket } from './private-socket.ts';

// node:http instead of fetch: `pinhole mcp` starts faster and stays smaller without the fetch machinery.
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Spares Node from working out the name for TLS, which compiles the patterns of all IP addresses. */
const LOCAL = { servername: '' };

export interface Reply {
  readonly status: number;
  readonly body: string;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/** The background process was reached but took too long. */
export class NoAnswer extends Error {}

/** Sends one request to the background process, through its socket. */
export function callBackground(
  background: Pick<BackgroundRecord, 'socket'>,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const req = send(background, method, path, body, options, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => {
        // Answered before the whole request was sent: the rest of it would break the next call on this connection.
        if (!req.writableFinished) req.destroy();
        resolve({ status: res.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
      });
      res.on('error', reject);
    });
    req.on('timeout', () => req.destroy(new NoAnswer('it does not answer')));
    listenToErrors(req, reject);
  });
}

/** Sends a request whose answer is read as it arrives. */
export function streamFromBackground(
  background: Pick<BackgroundRecord, 'socket'>,
  path: string,
  body: unknown,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const req = send(background, 'POST', path, body, options, (res) => {
      if (res.statusCode === 200) return resolve(res);
      res.resume();
      reject(new Error(`The background process answered ${res.statusCode}.`));
    });
    listenToErrors(req, reject);
  });
}

/** Sends nothing unless the socket belongs to this user. */
function send(
  { socket }: Pick<BackgroundRecord, 'socket'>,
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
      ...LOCAL,
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

/** A kept connection can break between two requests; an error without a listener would end this process. */
function listenToErrors(req: ClientRequest, reject: (error: Error) => void): void {
  req.on('error', reject);
  req.on('socket', (socket) => {
    if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore);
  });
}

function ignore(): void {}

/** Closes the connections that are kept for reuse, so that this process can end. */
export function closeConnections(): void {
  agent.destroy();
}
