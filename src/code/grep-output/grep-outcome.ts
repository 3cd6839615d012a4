import { z } from 'zod';

/** How a search ended, besides its output. */
export const grepOutcome = z.object({ matched: z.boolean() });

export type GrepOutcome = Readonly<z.infer<typeof grepOutcome>>;
