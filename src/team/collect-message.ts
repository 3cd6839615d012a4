import { z } from 'zod';

/*
 * What a collector sends: records of one log, redacted, in the order of the log. A log is identified by machine and
 * path. A `run` is one reading of it from the beginning. Reading it again, because it was rewritten or because the
 * position was lost, begins a new run, which replaces the previous one. Within a run, the position says what is new, so
 * that sending a message twice adds nothing.
 */

/** A record: its place in the log, and its text. */
const record = z.strictObject({
  at: z.int().min(0),
  length: z.int().min(1),
  text: z.string().max(16_000_000),
  /** Too long to be sent; `text` is its beginning. */
  cut: z.literal(true).optional(),
  /** Outputs that the agent put in separate files, by the path that the record names. */
  spilled: z.record(z.string(), z.string()).optional(),
});

const usage = z.record(
  z.string(),
  z.strictObject({
    input: z.number(),
    cached: z.number(),
    cacheWrite: z.number(),
    cacheWriteHour: z.number(),
    output: z.number(),
    reasoning: z.number(),
    tool: z.number(),
  }),
);

const short = z.string().min(1).max(400);

export const collectMessage = z.strictObject({
  machine: z.strictObject({ id: z.string().regex(/^[\w.-]{8,64}$/), name: short }),
  person: short,
  version: short,
  /** The collector's clock, to see how far off it is. */
  now: z.number(),
  log: z.strictObject({
    path: z.string().min(1).max(4_096),
    provider: short,
    run: z.string().regex(/^[\w-]{8,64}$/),
    /** What the name and the location of the log say. */
    place: z.strictObject({
      id: short.optional(),
      parentId: short.optional(),
      cwd: z.string().max(4_096).optional(),
      agentName: short.optional(),
      model: short.optional(),
      spawnCall: short.optional(),
      archived: z.boolean().optional(),
      clientUsage: usage.optional(),
      usageInParent: z.boolean().optional(),
      /** What the agent stores elsewhere: the session's title, and which session started it. */
      title: short.optional(),
      startedBy: short.optional(),
    }),
    /** The address of the remote, without scheme, user and `.git`; without a remote, the folder. */
    project: z.string().min(1).max(4_096).optional(),
    /** The folder of the checkout. */
    root: z.string().min(1).max(4_096).optional(),
  }),
  /** The position of the first new record. */
  from: z.int().min(0),
  /** The position after the last record. */
  to: z.int().min(0),
  records: z.array(record).max(10_000),
});

export type CollectMessage = z.infer<typeof collectMessage>;
export type CollectRecord = CollectMessage['records'][number];

/** What the server now has of the log. */
export const collectAnswer = z.object({
  run: z.string(),
  /** The position to continue from. */
  consumed: z.number(),
  /** How many records were new. */
  added: z.number(),
});

export type CollectAnswer = z.infer<typeof collectAnswer>;
