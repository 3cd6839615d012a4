import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';

// node:http instead of fetch: the bridge starts faster and stays smaller without the fetch machinery.
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** The owner was reached and took too long. */
export class NoAnswer extends Error {}

/** One request to the owner on loopback. */
export function callOwner(
  owner: { readonly host: string; readonly port: number; readonly token: string },
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  options: { readonly signal?: AbortSignal | undefined; readonly timeoutMs?: number } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const req = request(
      {
        agent,
        host: owner.host,
        port: owner.port,
        method,
        path,
        headers: {
          authorization: `Bearer ${owner.token}`,
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        },
        ...(options.signal ? { signal: options.signal } : {}),
        ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
      },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => {
          // Answered before all of it was sent: the rest would break the next call on this connection.
          if (!req.writableFinished) req.destroy();
          resolve({ status: res.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
        });
        res.on('error', reject);
      },
    );
    req.on('timeout', () => req.destroy(new NoAnswer('it does not answer')));
    listenToErrors(req, reject);
    req.end(payload);
  });
}

/** Lets the process end although connections are kept for reuse. */
export function closeConnections(): void {
  agent.destroy();
}

/** A request whose answer is read as it comes; rejects with the owner's words when it is not 200. */
export function streamOwner(
  owner: { readonly host: string; readonly port: number; readonly token: string },
  path: string,
  body: unknown,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const payload = JSON.stringify(body);
    const req = request(
      {
        agent,
        host: owner.host,
        port: owner.port,
        method: 'POST',
        path,
        headers: {
          authorization: `Bearer ${owner.token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        },
      },
      (res) => {
        if (res.statusCode === 200) resolve(res);
        else {
          let text = '';
          res.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          res.on('end', () => reject(new Error(text)));
        }
      },
    );
    listenToErrors(req, reject);
    req.end(payload);
  });
}

/** A connection may break when no request is using it any more; an error without a listener would end this process. */
function listenToErrors(req: ClientRequest, reject: (error: Error) => void): void {
  req.on('error', reject);
  req.on('socket', (socket) => {
    if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore);
  });
}

function ignore(): void {}
