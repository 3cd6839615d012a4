import fc from 'fast-check';

/** Texts that break programs, and the forms of Pinhole's own ids. */
export const oddText = (...more: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ maxLength: 30, unit: 'binary' }),
    fc.constantFrom(
      '',
      '..',
      '/',
      '~',
      '\0',
      '__proto__',
      'constructor',
      '%2e%2e/',
      '\u202e',
      '\ud800',
      ...more,
    ),
    fc.constantFrom(
      'i1',
      'n1',
      'j1',
      's1',
      'q1',
      'c1',
      'r1',
      '-1',
      '1e400',
      '*',
      '[',
      '(',
      '((((',
      '{a,b',
      '\\',
    ),
  );

/** Values of every type, nested a little. */
export const oddValue = (...more: readonly string[]): fc.Arbitrary<unknown> => {
  const text = oddText(...more);
  return fc.oneof(
    text,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(text, { maxLength: 3 }),
    fc.dictionary(text, text, { maxKeys: 3 }),
  );
};
