import { posix } from 'node:path';
import type { SymbolRow } from '../symbol-rows.ts';
import { type FileFacts, isTop, type QuestionFiles } from './question-files.ts';

/** What `module::name` means in Rust, where a module is a file or a folder of a crate in the tree. */
export async function rustModuleMember(
  files: QuestionFiles,
  facts: FileFacts,
  module: string,
  name: string,
): Promise<readonly SymbolRow[]> {
  if (!/^[a-z_]/.test(module)) return [];
  const row = facts.imports.find((each) => each.name === module);
  const root = row?.module.split('::')[0] ?? 'self';
  const isOwn = /^(?:crate|self|super)$/.test(root);
  return (await files.named(name)).filter((each) => {
    if (!isTop(each) || !each.path.endsWith('.rs') || !isInModule(each, module)) return false;
    return isOwn
      ? crateOf(each.path) === crateOf(facts.path)
      : posix.basename(crateOf(each.path)).replaceAll('-', '_') === root;
  });
}

function isInModule({ path, scope }: SymbolRow, module: string): boolean {
  const around = scope.split('.').at(-1) ?? '';
  if (around !== '') return around === module;
  return posix.parse(path).name === module || posix.basename(posix.dirname(path)) === module;
}

/** The folder of a crate. */
function crateOf(path: string): string {
  const at = `/${path}`.lastIndexOf('/src/');
  return at === -1 ? posix.dirname(path) : path.slice(0, Math.max(0, at - 1));
}
