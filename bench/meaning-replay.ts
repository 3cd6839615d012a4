import { openStaticEmbedder } from '../src/code/embed/static-embedder.ts';
import { openMeaning } from '../src/sessions/meaning/session-meaning.ts';
import type { Sessions } from '../src/sessions/sessions.ts';

export interface MeaningReplay {
  questions: number;
  hit1: number;
  hit5: number;
  /** The rank of the session for each question, from 1; 0 if it was not found. */
  ranks: number[];
}

/**
 * Questions about sessions of entireio/cli, written after reading them, in different words where possible. Each has the
 * beginning of the id of the session it is about.
 */
const QUESTIONS: readonly (readonly [question: string, session: string])[] = [
  [
    'comparing our way of crediting AI authorship with an open source tool that stores it in notes',
    '6113e919',
  ],
  ['repository got damaged because garbage collection threw objects away', '03a1382e'],
  ['deciding that automatic digests are off unless configured, with the spelling used in the UK', '1e0816ef'],
  ['how to find copied code and keep agents from adding more of it', '53ea19c1'],
  ['what runs at the end of a turn takes too long, measure where the time goes', 'dfbb4922'],
  ['usage reporting must stay off when the user never chose', '38917d7d'],
  ['inventing believable credentials to see whether they end up in the log', 'abc0b1d7'],
  ['the suite became slow, let the cases run at the same time', 'afb1dd35'],
  ['would resuming work if the remote is not reached over SSH', 'f744aef5'],
  ['the wrong assistant is recorded, Gemini where it was Claude', 'de1ed521'],
  ['can we notice when somebody throws away changes in the working copy', '63784323'],
  ['one branch instead of numbered ones, changing the written design', 'a318ad73'],
  ['why sending analytics in the background does not build on Windows', 'cc432c40'],
  ["identifiers of a teammate's conversation appear in the message that blocks me", '15f99783'],
  ['what removes leftover branches, and should it be a subcommand of something', '0bb9a2d9'],
  ['nothing is listed on the default branch because the metadata was never fetched', '253fd5ef'],
  ['drawing several conversations side by side as parallel lanes', '43b2bd6e'],
  ['making sense of the counters of consumed tokens in the agent log', 'eb4bcc15'],
  ["going through a colleague's chain of dependent pull requests one after the other", '79e9becd'],
  ['what the assistant commits in the middle of its reply lacks the marker', '9e2434f3'],
];

/** Asks for sessions by what was said in them. */
export async function replayMeaning(home: string, sessions: Sessions): Promise<MeaningReplay> {
  const weights = await openStaticEmbedder();
  const meaning = await openMeaning({
    home,
    sessions,
    embedder: async () => ({
      name: weights.name,
      passages: async (texts: readonly string[]) => weights.passages('', texts),
      question: async (text: string) => weights.question(text),
    }),
    log: () => {},
  });
  const all = new Set((await sessions.list.page({}, undefined, 100_000)).map(({ id }) => id));
  while ((await meaning.search('', { sessions: all })).unread > 0);
  const result: MeaningReplay = { questions: 0, hit1: 0, hit5: 0, ranks: [] };
  for (const [question, wanted] of QUESTIONS) {
    const { found } = await meaning.search(question, { sessions: all });
    const rank = found.findIndex(({ session }) => session.startsWith(wanted)) + 1;
    result.questions++;
    result.ranks.push(rank);
    if (rank === 1) result.hit1++;
    if (rank > 0 && rank <= 5) result.hit5++;
  }
  await meaning.close();
  return result;
}
