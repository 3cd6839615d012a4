import { OPERATIONS } from '../app/operations.ts';
import { describeTools } from './describe-tools.ts';
import type { Tool } from './tool.ts';

/** All tools. The build replaces this file with its data, so that `pinhole mcp` starts without the operations. */
export const TOOLS: readonly Tool[] = describeTools(OPERATIONS);
