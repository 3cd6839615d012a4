import type { CallContext } from '../../contract/operation.ts';
import type { CodeServices } from '../services.ts';
import { callPath } from '../symbols/call-path.ts';
import { qualifiedName } from '../symbols/qualified-names.ts';
import type { SymbolAnswer } from '../symbols/symbol-question.ts';
import type { SymbolLine } from './symbol-rows-shown.ts';
import { pathAcceptor, scopesOf } from './symbol-scopes.ts';

/** The two names in `A -> B`; `a->b` in C has no spaces. */
export function pathIn(name: string): readonly [first: string, last: string] | undefined {
  const [, first, last] = /^\s*(\S+)\s+->\s+(\S+)\s*$/.exec(name) ?? [];
  return first === undefined || last === undefined ? undefined : [first, last];
}

/** The rows of a path of calls, in the first tree that has one. */
export async function pathRows(
  ends: readonly [first: string, last: string],
  input: { readonly path?: string | readonly string[] | undefined },
  context: CallContext & CodeServices,
): Promise<{
  readonly rows: readonly SymbolLine[];
  readonly unknown?: { readonly name: string; readonly similar: readonly string[] };
  readonly root: string;
  readonly indexing: SymbolAnswer<unknown>['indexing'];
}> {
  const { code, signal } = context;
  const [scope] = await scopesOf(input, context);
  if (scope === undefined) throw new Error('a caller has at least one folder');
  const { tree } = scope;
  // The calls between the two may be in any file.
  const { value, indexing } = await code.symbols.ask(tree, { files: () => true }, signal, (question) =>
    callPath(question, ends, pathAcceptor(scope)),
  );
  const found = { root: tree.root, indexing };
  if ('unknown' in value) return { ...found, rows: [], unknown: { name: value.unknown, similar: [] } };
  if ('looked' in value) {
    const text = value.all
      ? `No chain of calls leads from ${ends[0]} to ${ends[1]}; calls through values are not followed.`
      : `No chain of calls was found among the ${value.looked} nearest callers of ${ends[1]}.`;
    return { ...found, rows: [{ part: 'no_path', at: 0, text }] };
  }
  const rows = value.steps.map(({ path, line, from, to }, at): SymbolLine => {
    const place = { path: to.path, line_start: to.from, line_end: to.to };
    return {
      part: 'calls',
      at,
      call: {
        path,
        line,
        in: qualifiedName(from),
        calls: { name: qualifiedName(to), kind: to.kind, ...place },
      },
    };
  });
  return { ...found, rows };
}
