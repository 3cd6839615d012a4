/**
 * How Node runs the process that holds the data. It lives long and holds large columns, so it gets a small young
 * generation and few memory arenas, and returns large blocks to the system as soon as they are freed. Without this, what
 * threads freed stays with the process: some 200 MB more after a few thousand edits. Its garbage is collected when the
 * heap has grown by a quarter. V8 would wait until it is three times as large: in a folder of 126,000 files that is
 * being read, the main thread held 414 MB, of which 110 were in use.
 */
export const MEMORY_FLAGS: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=25'];
export const MEMORY_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' } as const;
