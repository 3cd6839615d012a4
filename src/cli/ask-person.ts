import { createInterface } from 'node:readline/promises';

/** Asks a person at the terminal. Ctrl-C ends the command; Ctrl-D is an empty answer. */
export async function askPerson(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.once('SIGINT', () => {
    process.stdout.write('\n');
    process.exit(130);
  });
  const closed = new Promise<string>((done) => lines.once('close', () => done('')));
  const answer = await Promise.race([lines.question(question), closed]);
  lines.close();
  return answer.trim();
}

/** Whether a person says yes; Enter means no. */
export async function agrees(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test(await askPerson(`${question} [y/N] `));
}
