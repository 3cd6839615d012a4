import { NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules } from '../language-rules.ts';
import { plainShell } from '../plain-shell.ts';

const BUILT_INS: ReadonlySet<string> = new Set(
  'echo printf cd exit return local export set unset shift read test true false eval exec source trap wait kill pushd popd declare readonly getopts command type alias let sleep cat grep sed awk rm mkdir cp mv ls'.split(
    ' ',
  ),
);

export const bash: LanguageRules = {
  definitions: {
    function_definition: { kind: 'function' },
    variable_assignment: { kind: 'variable', variable: true, name: 'name', body: ['value'] },
  },
  scopes: { function_definition: 'function', subshell: 'block' },
  roles: {
    command_name: 'call',
    'for_statement.variable': 'bind',
    'variable_assignment.value': 'none',
    heredoc_start: 'skip',
  },
  identifiers: { variable_name: 'value', word: 'quiet' },
  members: {},
  comments: ['comment'],
  prepare: plainShell,
  builtIns: BUILT_INS,
  read: { command: readCommand, declaration_command: readDeclaration },
  isExported: () => true,
  isTest: (_head, name) => /^test_/.test(name),
};

function readCommand(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const name = tree.textOf(tree.field(node, 'name'));
  if (name !== 'source' && name !== '.') return;
  const file = tree.field(node, 'argument');
  if (file !== NONE) extraction.addImport('*', '*', tree.textOf(file).replace(/^["']|["']$/g, ''), node);
}

/** `local name=…` in a function. */
function readDeclaration(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  if (extraction.scopeKind(node) === 'file') return;
  for (const part of tree.children(node)) {
    const name = tree.type(part) === 'variable_assignment' ? tree.field(part, 'name') : part;
    if (name !== NONE && tree.type(name) === 'variable_name') extraction.setRole(name, 'bind');
  }
}
