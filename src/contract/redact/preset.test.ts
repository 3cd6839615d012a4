import { lintSource } from '@secretlint/core';
import { creator, rules } from '@secretlint/secretlint-rule-preset-recommend';
import { describe, expect, test } from 'vitest';
import { redact } from '../redact.ts';
import { PLANTED } from './planted.fixture.ts';
import { presetHandlers } from './preset.ts';

// Rules that do not look for a secret in a text, or only for one that another detector takes first.
const NOT_FOR_TEXT = new Map([
  ['filter-comments', 'a comment in a log must not switch redaction off'],
  ['gcp', 'whole key files; the key in them is found as a private key'],
]);

// Kinds under which our own, broader detectors report what these rules find.
const OUR_NAMES = new Map([
  ['aws', ['aws', 'secret']],
  ['privatekey', ['private-key']],
  ['basicauth', ['url-password']],
  ['database-connection-string', ['url-password']],
]);

const kinds = rules.map((rule) => rule.meta.id.replace('@secretlint/secretlint-rule-', ''));

describe('every rule of the preset', () => {
  test.each(kinds.filter((kind) => !NOT_FOR_TEXT.has(kind)))('%s has a trigger', (kind) => {
    const names = OUR_NAMES.get(kind) ?? [kind];
    const samples = PLANTED.filter(
      (planted) =>
        names.includes(planted.kind) && (presetHandlers().get(kind)?.(planted.text).length ?? 0) > 0,
    );
    // A rule that an update brings fails here until it has a planted secret and a trigger word.
    expect(samples.length).toBeGreaterThan(0);
    for (const { text, kind: ours } of samples) expect(redact(text)).toContain(`[redacted:${ours}]`);
  });
});

test('the synchronous driver finds what secretlint finds', async () => {
  for (const { text } of PLANTED) {
    const linted = await lintSource({
      source: { content: text, filePath: '/a.txt', ext: '.txt', contentType: 'text' },
      options: {
        config: { rules: [{ id: creator.meta.id, rule: creator, options: {} }] },
        noPhysicFilePath: true,
      },
    });
    const theirs = linted.messages.map((message) =>
      message.ruleId.replace('@secretlint/secretlint-rule-', ''),
    );
    const ours = [...presetHandlers()].flatMap(([kind, handler]) => handler(text).map(() => kind));
    expect(ours.sort()).toEqual(theirs.sort());
  }
});
