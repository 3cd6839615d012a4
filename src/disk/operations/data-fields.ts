import { z } from 'zod';
import { ERROR_KINDS, KIND_NAMES } from '../scan/node-kinds.ts';

/** Fields that the data of several operations has. */
export const kind = z.enum(KIND_NAMES);
export const files = z.int();
export const dirs = z.int();
export const size = z.int().describe('bytes of content');
export const disk_size = z.int().describe('bytes allocated on the disk');
export const counts = z.object({ files, dirs: dirs.optional() }).optional();
export const depth_limit = z
  .int()
  .optional()
  .describe('files and folders are known down to this depth; sizes and file counts include everything');
export const errors = z
  .partialRecord(z.enum(ERROR_KINDS), z.int())
  .optional()
  .describe('how many entries could not be read, by reason');
