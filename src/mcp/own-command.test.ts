import { expect, test } from 'vitest';
import { ownCommand } from './own-command.ts';

test.each([
  ['/usr/local/bin/pinhole', 'pinhole'],
  ['/opt/other/pinhole', '/opt/other/pinhole'],
  ['/home/u/.npm/_npx/1a/node_modules/.bin/pinhole', '/home/u/.npm/_npx/1a/node_modules/.bin/pinhole'],
  ['/srv/checkout/dist/main.js', 'node /srv/checkout/dist/main.js'],
  ['/srv/my checkout/dist/main.js', 'node "/srv/my checkout/dist/main.js"'],
])('%s is started again as %s', (script, command) => {
  const path = '/home/u/.npm/_npx/1a/node_modules/.bin:/usr/local/bin:/usr/bin';
  expect(ownCommand(script, path)).toBe(command);
});
