/** What kind of file a path is; several may hold. Kept as bits in the index. */
export const ROLE = { test: 1, aside: 2, generated: 4, prose: 8, config: 16, barrel: 32, stub: 64 } as const;

const TEST =
  /(^|\/)(tests?|specs?|__tests__|testing|benchmarks?|bench|examples?|fixtures?|mocks?|testdata|e2e|samples?)(\/|$)|[._-](test|spec|bench|mock)s?\.|(^|\/)test_|_test\.|_spec\.|(^|\/)conftest\.py$/i;
/** `PoolTests.swift`, but not `contest.ts`. */
const TEST_CLASS = /[a-z\d]Tests?\.\w+$/;
const ASIDE =
  /(^|\/|[._-])(legacy|deprecated|compat|old|v[0-3]|vendor|vendored|_vendor|third_party|third-party|polyfills?|contrib|external)(\/|[._-]|$)/i;
const GENERATED = /[._-](generated|gen|pb|pb2|g|designer|min)\.\w+$|(^|\/)(generated|gen|autogen)\//i;
const GENERATED_NOTE = /\b(?:auto-?generated|generated (?:by|from|code|file)|do not (?:edit|modify))\b/i;
const BARREL =
  /(^|\/)(__init__\.py|index\.[cm]?[jt]sx?|mod\.rs|lib\.rs|init\.lua|package-info\.java|root\.zig)$/;
const STUB = /\.(d\.[cm]?ts|pyi|hs-boot|mli)$/;
const PROSE: ReadonlySet<string> = new Set(['markdown', 'restructuredtext', 'html']);
const CONFIG: ReadonlySet<string> = new Set(['json', 'yaml', 'toml', 'xml', 'docker', 'make', 'cmake']);
/** Where notes on generation stand. */
const HEAD_CHARACTERS = 600;

/** The roles of a file by its path, its language and its first lines. */
export function rolesOf(path: string, language: string | undefined, text: string): number {
  let roles = 0;
  if (TEST.test(path) || TEST_CLASS.test(path)) roles |= ROLE.test;
  if (ASIDE.test(path)) roles |= ROLE.aside;
  if (GENERATED.test(path) || GENERATED_NOTE.test(text.slice(0, HEAD_CHARACTERS))) roles |= ROLE.generated;
  if (BARREL.test(path)) roles |= ROLE.barrel;
  if (STUB.test(path)) roles |= ROLE.stub;
  if (language === undefined ? !hasCodeName(path) : PROSE.has(language)) roles |= ROLE.prose;
  if (language !== undefined && CONFIG.has(language)) roles |= ROLE.config;
  return roles;
}

/** Scripts without an ending are code; notes and logs have one, or a name in capitals. */
function hasCodeName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return !name.includes('.') && !/^[A-Z]+$/.test(name);
}
