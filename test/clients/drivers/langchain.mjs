import { drive, environment, load, server } from './driver.mjs';

const { MultiServerMCPClient } = await load('@langchain/mcp-adapters');
const client = new MultiServerMCPClient({
  mcpServers: {
    pinhole: { transport: 'stdio', command: server.command, args: server.args, env: environment },
  },
});
const tools = new Map((await client.getTools()).map((tool) => [tool.name, tool]));

await drive({
  tools: [...tools.keys()],
  // A tool's error is thrown, with the text as its message.
  call: (tool, input) =>
    tools
      .get(tool)
      .invoke(input)
      .then(plain, (error) => error.message),
  close: () => client.close(),
});

/** One text block is a string, several are a list. */
function plain(content) {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}
