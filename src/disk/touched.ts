import { z } from 'zod';

/** An agent session that read or changed a file. */
export const toucherSchema = z.object({
  session_id: z.string(),
  last: z.string().describe('the day of the last read or change'),
  reads: z.int().optional(),
  changes: z.int().optional(),
});

export type Toucher = Readonly<z.infer<typeof toucherSchema>>;

export interface TouchServices {
  /** The sessions that touched a path, newest first. */
  readonly touchedBy: (path: string) => Promise<readonly Toucher[]>;
}
