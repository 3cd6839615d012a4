import { z } from 'zod';

export const agentTouchSchema = z.object({
  session_id: z.string(),
  last: z.string().describe('the day of the last read or change'),
  reads: z.int().optional(),
  changes: z.int().optional(),
});

/** An agent session that read or changed a file. */
export type AgentTouch = Readonly<z.infer<typeof agentTouchSchema>>;

export interface TouchServices {
  /** The sessions that touched a path, newest first. */
  readonly touchedBy: (path: string, zone: string) => Promise<readonly AgentTouch[]>;
}
