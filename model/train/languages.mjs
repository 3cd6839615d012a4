// Which source files are mined, and the language whose comments and declarations they have.

export const LANGUAGES = {
  sh: 'sh',
  bash: 'sh',
  zsh: 'sh',
  bats: 'sh',
  c: 'c',
  h: 'c',
  cc: 'c',
  cpp: 'c',
  cxx: 'c',
  hpp: 'c',
  hh: 'c',
  inl: 'c',
  cs: 'cs',
  ex: 'ex',
  exs: 'ex',
  go: 'go',
  hs: 'hs',
  java: 'java',
  js: 'js',
  mjs: 'js',
  cjs: 'js',
  jsx: 'js',
  ts: 'js',
  tsx: 'js',
  mts: 'js',
  kt: 'kt',
  kts: 'kt',
  lua: 'lua',
  php: 'php',
  py: 'py',
  pyi: 'py',
  rb: 'rb',
  rake: 'rb',
  rs: 'rs',
  scala: 'scala',
  swift: 'swift',
  zig: 'zig',
};

/** The language of a path by its ending, or undefined. */
export function languageOf(path) {
  return LANGUAGES[path.split('.').pop().toLowerCase()];
}
