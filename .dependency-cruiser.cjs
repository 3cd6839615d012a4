/** Which folder may import which: the picture in ARCHITECTURE.md as a check. */
const subjects = ['code', 'sessions', 'disk'];
const only = (from, allowed, comment) => ({
  name: `${from}-imports`,
  comment,
  severity: 'error',
  from: { path: `^src/${from}/` },
  to: { path: '^src/', pathNot: [`^src/${from}/`, ...allowed.map((a) => `^src/${a}(/|\\.ts$)`)] },
});
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { pathNot: 'node_modules' }, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    only('contract', [], 'The contract knows nobody.'),
    only('store', ['contract'], 'The store knows the contract only.'),
    only('jobs', ['contract', 'store'], 'Jobs are kept in the store.'),
    ...subjects.map((s) => only(s, ['contract', 'store', 'jobs'], 'Subjects do not import each other.')),
    only('joins', ['contract', 'store', 'jobs', ...subjects], 'Only joins knows two subjects.'),
    only('mcp', ['contract', 'app'], 'A door imports operations through the app, never stores.'),
    only('http', ['contract', 'app', 'mcp', 'jobs'], 'A door imports operations through the app, never stores.'),
  ],
  options: { tsPreCompilationDeps: true, tsConfig: { fileName: 'tsconfig.json' }, exclude: { path: '\\.test\\.ts$' }, doNotFollow: { path: 'node_modules' } },
};
