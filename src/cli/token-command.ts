import { teamToken } from '../app/access-keys.ts';
import { usableDataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { closeConnections } from '../connect/call-background.ts';
import { findOrStartBackground, replaceToken } from '../connect/find-or-start.ts';

export const token: BuiltIn = {
  usage: 'pinhole token [flags]',
  flags: [
    ['--team', 'the token to give to others: it can read what was allowed, and nothing else'],
    ['--rotate', 'replace both tokens and sign out all browsers'],
  ],
  examples: [
    'curl -H "Authorization: Bearer $(pinhole token)" "$(pinhole status --url)/api/health"',
    'pinhole token --team',
    'pinhole token --rotate',
  ],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      team: { type: 'boolean', default: false },
      rotate: { type: 'boolean', default: false },
    });
    noMoreWords(positionals);
    const background = await findOrStartBackground(usableDataFolder());
    const own = values.rotate ? await replaceToken(background) : background.token;
    closeConnections();
    process.stdout.write(`${values.team ? teamToken(own) : own}\n`);
    return 0;
  },
};
