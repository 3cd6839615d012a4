// Compiles what is written in AssemblyScript to WebAssembly, into source files that need no build: `npm run assembly`.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** A file in the folder `assembly` below each of these; the result stands beside that folder. */
export const MODULES = [
  { folder: 'src/sessions/read', name: 'line-scanner', constant: 'LINE_SCANNER' },
  { folder: 'src/code/reader', name: 'reader', constant: 'READER' },
];

export const compiledFile = ({ folder, name }) => join(root, folder, `${name}.wasm.ts`);

/** The text of the source file with the compiled code of a module. */
export async function compiled({ folder, name, constant }) {
  let code;
  const { error, stderr } = await asc.main(
    [
      `${name}.ts`,
      ...['--outFile', `${name}.wasm`, '--runtime', 'stub', '--enable', 'simd', '-O3', '--noAssert'],
      '--importMemory',
    ],
    {
      readFile: (file) =>
        file === `${name}.ts` ? readFileSync(join(root, folder, 'assembly', file), 'utf8') : null,
      writeFile: (file, contents) => {
        if (file === `${name}.wasm`) code = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  const text = Buffer.from(code).toString('base64');
  return `/** assembly/${name}.ts, compiled by \`npm run assembly\`. */\nexport const ${constant} =\n  '${text}';\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const one of MODULES) writeFileSync(compiledFile(one), await compiled(one));
