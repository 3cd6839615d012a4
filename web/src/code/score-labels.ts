/** What the parts of a score are called on the page. */
const LABELS: Readonly<Record<string, string>> = {
  semantic: 'meaning of the best chunk',
  semanticTop3: 'meaning of the best three chunks',
  semanticFile: 'meaning of the whole file',
  semanticPath: 'meaning of the path',
  semanticSymbol: 'meaning of its names',
  semanticAlike: 'meaning of what code calls it',
  words: 'words in the best chunk',
  wordsTop3: 'words in the best three chunks',
  wordsHead: 'words at the top of the file',
  alike: 'what code calls it, in the best chunk',
  alikeTop3: 'what code calls it, in the best three chunks',
  stem: 'file name',
  folder: 'folder names',
  defines: 'defines the name',
  definesAsked: 'defines what was asked for',
  definesFirst: 'defines the first name of the question',
  definesPart: 'defines a similar name',
  test: 'is a test',
  aside: 'in a test, example or vendored folder',
  generated: 'is generated',
  prose: 'is prose or configuration',
  size: 'file length',
  depth: 'depth of the path',
  otherSystem: 'is for another system',
  references: 'references from other files',
  titleSemantic: 'meaning of the title',
  named: 'names of the report',
  namedInTrace: 'names in its stack trace',
  trace: 'file of the stack trace',
  pathNamed: 'path in the report',
};

/** The label of a part of a score; an unknown part is shown as words. */
export function scoreLabel(part: string): string {
  return (
    LABELS[part] ??
    part
      .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase()
  );
}
