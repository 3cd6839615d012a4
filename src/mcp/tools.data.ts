import { OPERATIONS } from '../app/operations.ts';
import { describeTools } from './describe-tools.ts';
import type { Tool } from './tool.ts';

/** All tools. Made by the build, so that `pinhole mcp` starts without the operations and their schemas. */
export const TOOLS: readonly Tool[] = describeTools(OPERATIONS);
