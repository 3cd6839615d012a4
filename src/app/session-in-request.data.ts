import { PROVIDERS } from '../sessions/providers/index.ts';

/**
 * Where agents name the session that asks in their MCP requests. A data file (`*.data.ts`): the build runs it and puts
 * the JSON in its place, so the MCP server starts without the code that reads logs.
 */
export const SESSION_IN_REQUEST = PROVIDERS.flatMap(({ sessionInRequest }) => sessionInRequest ?? []);
