import { drive, environment, load, server, textOf } from './driver.mjs';

const { createMCPClient, experimental_createMCPClient } = await load('@ai-sdk/mcp');
const { Experimental_StdioMCPTransport } = await load('@ai-sdk/mcp/mcp-stdio');
const client = await (createMCPClient ?? experimental_createMCPClient)({
  transport: new Experimental_StdioMCPTransport({
    command: server.command,
    args: server.args,
    env: environment,
  }),
});
const tools = await client.tools();

await drive({
  tools: Object.keys(tools),
  call: async (tool, input) => textOf(await tools[tool].execute(input, { toolCallId: '1', messages: [] })),
  close: () => client.close(),
});
