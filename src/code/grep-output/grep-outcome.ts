import { z } from 'zod';

/** How a search ended, beside what it wrote. */
export const grepOutcome = z.object({ matched: z.boolean() });

export type GrepOutcome = Readonly<z.infer<typeof grepOutcome>>;
