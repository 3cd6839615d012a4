import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';

/** What Node allows for the address and the headers of a request. */
const MESSAGE =
  'The address and headers of a request must be at most 16 kB in all. Ask over MCP (POST /mcp), which takes a query of up to 1 MB, or with the command line.';

/** Answers requests that are too long to be read; Node itself would send no reason. */
export function answerLongRequests(server: EventEmitter): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const isLong = error.code === 'HPE_HEADER_OVERFLOW';
    const body = JSON.stringify({
      error: {
        code: 'invalid_parameter',
        message: isLong ? MESSAGE : 'This is not an HTTP request.',
        retryable: false,
      },
    });
    socket.end(
      `HTTP/1.1 ${isLong ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}
