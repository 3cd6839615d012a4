import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const MAX_NOTE_LENGTH = 2_000;

const markSchema = z.object({
  starred: z.literal(true).optional(),
  note: z.string().min(1).max(MAX_NOTE_LENGTH).optional(),
});
const marksSchema = z.record(z.string(), markSchema);

/** A person's star and note for a session. */
export type SessionMark = Readonly<z.infer<typeof markSchema>>;

/** Stars and notes, by session id. */
export interface SessionMarks {
  of(session: string): Promise<SessionMark>;
  starred(): Promise<readonly string[]>;
  set(session: string, mark: SessionMark): Promise<void>;
}

/**
 * The marks in a data folder: `marks.json`, absent until one is set. They are not in the logs, and so not in the index.
 */
export function sessionMarks(home: string): SessionMarks {
  const file = join(home, 'marks.json');
  let marks = read(file);
  return {
    of: async (session) => marks[session] ?? {},
    starred: async () => Object.keys(marks).filter((session) => marks[session]?.starred),
    async set(session, mark) {
      const { [session]: _, ...others } = marks;
      const next = Object.values(mark).some((value) => value !== undefined)
        ? { ...others, [session]: mark }
        : others;
      mkdirSync(home, { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${file}.new`, file);
      marks = next;
    },
  };
}

function read(file: string): Readonly<Record<string, SessionMark>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // Nothing has been marked yet.
    return {};
  }
  try {
    return marksSchema.parse(JSON.parse(text));
  } catch {
    // Damaged: set aside, because its content exists nowhere else.
    renameSync(file, `${file}.damaged-${Date.now()}`);
    return {};
  }
}
