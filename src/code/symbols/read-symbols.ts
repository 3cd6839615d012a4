import type { FileSymbols } from './file-symbols.ts';

type SymbolReader = (text: string, path: string, language: string) => FileSymbols | undefined;

/** Temporary. */
export async function createSymbolReader(_languages: Iterable<string>): Promise<SymbolReader> {
  return (text, path, language) => {
    if (language !== 'typescript') return undefined;
    const lines = text.split('\n');
    const definitions: FileSymbols['definitions'][number][] = [];
    const references: FileSymbols['references'][number][] = [];
    for (const [at, line] of lines.entries()) {
      const found = /^(export )?function (\w+)/.exec(line);
      const name = found?.[2];
      if (found && name !== undefined) {
        let to = at;
        while (to < lines.length && lines[to] !== '}' && !lines[to]?.endsWith('{}')) to++;
        definitions.push({
          name,
          kind: 'function',
          line: at + 1,
          column: line.indexOf(name, 9),
          from: at + 1,
          to: to + 1,
          signature: line.replace(/ \{.*$/, ''),
          isTest: path.includes('.test.'),
          isExported: found[1] !== undefined,
          isPrototype: false,
        });
        continue;
      }
      const inside = definitions.findLastIndex(({ from, to }) => from <= at + 1 && to >= at + 1);
      for (const call of line.matchAll(/(\w+)\(/g)) {
        const [, called = ''] = call;
        references.push({
          name: called,
          kind: 'call',
          line: at + 1,
          column: call.index,
          ...(inside === -1 ? {} : { inside }),
        });
      }
    }
    return { language, lines: lines.length, definitions, references, imports: [], comments: [], tests: [] };
  };
}
