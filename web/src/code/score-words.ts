/** What the parts of a score are called on the page. */
const WORDS: Readonly<Record<string, string>> = {
  meaning: 'meaning of the best place',
  meaningTop3: 'meaning of the best three',
  meaningFile: 'meaning of the whole file',
  meaningPath: 'meaning of the path',
  words: 'words in the best place',
  wordsTop3: 'words in the best three',
  wordsHead: 'words at the head of the file',
  stem: 'name of the file',
  folder: 'names of its folders',
  defines: 'defines the name',
  definesAsked: 'defines what was asked for',
  definesPart: 'defines something like it',
  test: 'is a test',
  aside: 'lies aside',
  generated: 'is generated',
  prose: 'is prose or settings',
  size: 'length of the file',
  references: 'how often it is named elsewhere',
};

/** A part of a score in words; one that is not known yet as its own name, spelled out. */
export function scoreWords(part: string): string {
  return (
    WORDS[part] ??
    part
      .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase()
  );
}
