import { Agent, request } from 'node:http';

const MCP_VERSION = '2025-11-25';

/** One client with its own keep-alive connection. */
export function createCaller({ url, token }, door, number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port } = new URL(url);
  const common = { agent, hostname, port };
  const authorization = `Bearer ${token}`;
  let id = 0;

  const send = (options, body) =>
    new Promise((done, failed) => {
      const sent = request({ ...common, ...options }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => done({ status: response.statusCode, body: chunks }));
        response.on('error', failed);
      });
      sent.on('error', failed);
      sent.end(body);
    });

  const rest = ({ route, input }) => {
    const words = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]));
    const path = `${route}${route.includes('?') ? '&' : '?'}${words}`;
    const headers = { authorization, 'x-pinhole-client': `bench ${number}` };
    return () => send({ path, headers });
  };

  const post = (method, params, notification) => {
    const message = { jsonrpc: '2.0', ...(!notification && { id: id++ }), method, params };
    const body = Buffer.from(JSON.stringify(message));
    const headers = {
      authorization,
      'content-type': 'application/json',
      'content-length': body.length,
      accept: 'application/json, text/event-stream',
      ...(method !== 'initialize' && { 'mcp-protocol-version': MCP_VERSION }),
    };
    return () => send({ method: 'POST', path: '/mcp', headers }, body);
  };

  return {
    door,
    /** What every MCP client does before its first call. */
    async connect() {
      if (door === 'rest') return;
      const clientInfo = { name: `bench-${number}`, version: '1' };
      await post('initialize', { protocolVersion: MCP_VERSION, capabilities: {}, clientInfo })();
      await post('notifications/initialized', undefined, true)();
    },
    /** The call, ready to be sent. */
    prepare: (call) =>
      door === 'rest' ? rest(call) : post('tools/call', { name: call.tool, arguments: call.input }),
    close: () => agent.destroy(),
  };
}

/** The content of a response: data over REST, text over MCP. Throws on an error from Pinhole. */
export function answerOf(door, { status, body }) {
  const text = Buffer.concat(body).toString();
  if (status !== 200) throw new Error(`${status} ${text.slice(0, 200)}`);
  const message = JSON.parse(text);
  if (door === 'rest') return message;
  const { result } = message;
  if (result === undefined || result.isError) throw new Error(text.slice(0, 200));
  return result.content[0].text;
}
