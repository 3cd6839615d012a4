import type { FileSymbols } from './file-symbols.ts';

/**
 * What the syntax of a file says about its lines: everything but the uses of names, which are most of it. Small enough
 * to be kept for every file that searches show.
 */
export interface FileShape extends Omit<FileSymbols, 'references' | 'imports'> {
  /** Lines that take names from other files. */
  readonly importLines: readonly number[];
}

export function shapeOf({ references, imports, ...shape }: FileSymbols): FileShape {
  const used = references.filter(({ kind }) => kind === 'import');
  const lines = new Set([...imports, ...used].map(({ line }) => line));
  return { ...shape, importLines: [...lines].sort((a, b) => a - b) };
}
