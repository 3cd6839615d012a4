/** What a token can be; the page has one colour for each, in both themes. */
const TOKENS: readonly (readonly [name: string, scopes: readonly string[]])[] = [
  ['plain', []],
  ['comment', ['comment', 'punctuation.definition.comment', 'string.comment']],
  [
    'keyword',
    [
      'keyword',
      'storage',
      'variable.language',
      'constant.language',
      'keyword.operator.new',
      'entity.name.tag',
    ],
  ],
  [
    'string',
    ['string', 'punctuation.definition.string', 'string.regexp', 'constant.character', 'markup.inline.raw'],
  ],
  ['number', ['constant.numeric', 'constant.other']],
  ['function', ['entity.name.function', 'support.function', 'meta.function-call.generic', 'markup.heading']],
  [
    'type',
    [
      'entity.name.type',
      'entity.name.class',
      'support.type',
      'support.class',
      'entity.other.inherited-class',
      'entity.name.namespace',
    ],
  ],
  [
    'property',
    [
      'variable.other.property',
      'support.type.property-name',
      'meta.object-literal.key',
      'entity.other.attribute-name',
    ],
  ],
  ['operator', ['keyword.operator', 'punctuation']],
];

/** Each colour encodes an index of the list above: no real colour leaves the server. */
const colourOf = (kind: number) => `#0000${kind.toString(16).padStart(2, '0')}`;

export const TOKEN_THEME = {
  name: 'tokens',
  type: 'light' as const,
  settings: TOKENS.map(([, scopes], kind) => ({
    ...(scopes.length > 0 ? { scope: [...scopes] } : {}),
    settings: { foreground: colourOf(kind) },
  })),
  fg: colourOf(0),
  bg: '#ffffff',
};

/** The index in the list for a token with this colour. */
export function tokenClass(colour: string | undefined): number {
  const kind = Number.parseInt(colour?.slice(1) ?? '0', 16);
  return kind < TOKENS.length ? kind : 0;
}
