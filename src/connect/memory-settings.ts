/**
 * How Node runs the process that holds the data. It lives long and holds large columns, so it gets a small young
 * generation and few memory arenas, and returns large blocks to the system as soon as they are freed. Without this, what
 * threads freed stays with the process: some 200 MB more after a few thousand edits.
 */
export const MEMORY_FLAGS: readonly string[] = ['--max-semi-space-size=4'];
export const MEMORY_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' } as const;
