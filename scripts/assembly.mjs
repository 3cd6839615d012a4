// Compiles src/sessions/read/assembly to WebAssembly, into a source file that needs no build: `npm run assembly`.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const folder = join(resolve(dirname(fileURLToPath(import.meta.url)), '..'), 'src/sessions/read');
export const compiledFile = join(folder, 'line-scanner.wasm.ts');

/** The text of the source file with the compiled code. */
export async function compiled() {
  let code;
  const { error, stderr } = await asc.main(
    [
      'line-scanner.ts',
      ...['--outFile', 'line-scanner.wasm', '--runtime', 'stub', '--enable', 'simd', '-O3', '--noAssert'],
      '--importMemory',
    ],
    {
      readFile: (name) =>
        name === 'line-scanner.ts' ? readFileSync(join(folder, 'assembly', name), 'utf8') : null,
      writeFile: (name, contents) => {
        if (name === 'line-scanner.wasm') code = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  const text = Buffer.from(code).toString('base64');
  return `/** assembly/line-scanner.ts, compiled by \`npm run assembly\`. */\nexport const LINE_SCANNER =\n  '${text}';\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(compiledFile, await compiled());
