// Makes the README's picture: runs real commands and draws their output as a terminal, in SVG.
// npm run capture
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const OUT = 'docs/images/terminal.svg';
const COMMANDS = [
  ["pinhole grep -n 'fillPage<' src", ['grep', '-n', 'fillPage<', 'src']],
  [
    "pinhole code find 'where are secrets redacted' --limit 2",
    ['code', 'find', 'where are secrets redacted', '--limit', '2'],
  ],
  ['pinhole disk', ['disk']],
];
const MAX_LINES = 8;
const WIDTH = 100;

const xml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const clip = (text) => (text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text);

const lines = [];
for (const [shown, args] of COMMANDS) {
  const output = execFileSync(process.execPath, ['dist/main.js', ...args], { encoding: 'utf8' })
    .replaceAll(process.cwd(), '~/pinhole')
    .trimEnd()
    .split('\n');
  lines.push({ text: `$ ${shown}`, colour: '#7ee787' });
  for (const text of output.slice(0, MAX_LINES)) lines.push({ text: clip(text), colour: '#d0d7de' });
  if (output.length > MAX_LINES)
    lines.push({ text: `  … ${output.length - MAX_LINES} more lines`, colour: '#8b949e' });
  lines.push({ text: '', colour: '' });
}

const height = lines.length * 20 + 50;
const rows = lines.map(
  ({ text, colour }, i) =>
    `<text x="20" y="${50 + i * 20}" fill="${colour}" xml:space="preserve">${xml(text)}</text>`,
);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="${height}" viewBox="0 0 900 ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
<title>Pinhole in a terminal</title>
<rect width="900" height="${height}" rx="8" fill="#0d1117"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
${rows.join('\n')}
</svg>
`;
mkdirSync(dirname(OUT), { recursive: true });
writeFileSync(OUT, svg);
console.log(`${OUT}: ${lines.length} lines`);
