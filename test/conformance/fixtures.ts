import type { McpExtension } from '../../src/mcp/server.ts';
import { registerAskingTools } from './fixtures/asking-tools.ts';
import { registerContentTools } from './fixtures/content-tools.ts';
import { registerPrompts } from './fixtures/prompts.ts';
import { registerResources } from './fixtures/resources.ts';
import { registerRoundTools, stateCodec } from './fixtures/round-tools.ts';

/** Everything the conformance suite expects to find on a server that shows all of MCP. */
export const fixtures: McpExtension = {
  options: { requestState: { verify: stateCodec.verify } },
  register(server) {
    server.server.registerCapabilities({ logging: {} });
    registerContentTools(server);
    registerAskingTools(server);
    registerRoundTools(server);
    registerPrompts(server);
    registerResources(server);
  },
};
