import { z } from 'zod';

/** Input fields that several operations take. */
const id = z.string().max(20);

export const index_id = id.describe('an index, e.g. i3');
export const chosen_index_id = id
  .optional()
  .describe('an index, e.g. i3 (default: the one that covers the current folder)');
export const node_id = id.describe('a node, e.g. n4f2');
export const selection_id = id.describe('a selection, e.g. s5');
export const query_id = id.describe('a saved query, e.g. q2, or its name');
export const plan_id = id.describe('a clean-up plan, e.g. p1');
export const shell = id.describe('a shell, e.g. w8; its folder and preferences apply');
export const under = z
  .string()
  .max(4096)
  .optional()
  .describe(
    'look below this folder or node, e.g. /var or n4f2 (default: the current folder at a terminal, otherwise the whole index)',
  );
export const filter = z
  .unknown()
  .optional()
  .describe(
    'which nodes count, as JSON: {"name":"*.log","size":">1GB","modified":">30d"}; combine with any, all, not',
  );
export const file = z.string().min(1).max(4096);
export const node_ids = z.array(id).optional();
