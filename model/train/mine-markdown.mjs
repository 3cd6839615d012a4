// Pairs from documentation: the sentence before a code block, and its heading, for the block.
import { words } from './words.mjs';

const FENCE = /^\s*(```|~~~)/;
const NOT_CODE = /^(diff|text|txt|console|output|mermaid|log|json|yaml|toml|html|css|xml|sql)/;

export function mineMarkdown(pairs, text) {
  const lines = text.split('\n');
  if (lines.length > 5000) return;
  pairs.file++;
  let heading = '';
  let paragraph = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at].trim();
    if (/^#{1,6}\s/.test(line)) {
      heading = line.replace(/^#+\s*/, '');
      paragraph = [];
    } else if (FENCE.test(line)) {
      const end = lines.findIndex((one, place) => place > at && FENCE.test(one));
      const code = lines.slice(at + 1, end === -1 ? lines.length : end);
      at = end === -1 ? lines.length : end;
      const language = line
        .replace(/^[`~]+/, '')
        .trim()
        .toLowerCase();
      if (NOT_CODE.test(language) || code.length < 3) continue;
      mineBlock(pairs, code, paragraph, heading);
      paragraph = [];
    } else if (!line) {
      if (paragraph.length > 6) paragraph = [];
    } else if (!/^[|<!\-=]/.test(line)) paragraph = [...paragraph, line].slice(-12);
  }
}

function mineBlock(pairs, code, paragraph, heading) {
  const document = pairs.document('', code.slice(0, 35).join('\n'));
  const sentences = paragraph
    .join(' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\S+/g, ' ')
    .trim()
    .split(/(?<=[.:!?])\s/)
    .filter((sentence) => sentence.length > 15);
  if (sentences.length > 0) {
    pairs.ask(document, 'x', sentences.length > 1 && pairs.random() < 0.5 ? sentences[0] : sentences.at(-1));
  }
  if (words(heading).length >= 2) pairs.ask(document, 'x', heading);
  pairs.keep(document);
}
