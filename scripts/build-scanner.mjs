#!/usr/bin/env node
// Compiles the scanner of events (assembly/scanner.ts, AssemblyScript) to WebAssembly, and puts it as text into a module of the sources, so
// that it goes wherever its reader goes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from 'assemblyscript/asc';

const module = join('src', 'formats', 'prediction', 'scanner-code.ts');
const options = ['--runtime', 'stub', '-O3', '--noAssert', '--enable', 'simd', '--initialMemory', '26'];
const { error, stderr } = await main(['assembly/index.ts', '--outFile', 'scanner.wasm', ...options], {
  writeFile: (_name, wasm) => writeFileSync(module, moduleOf(Buffer.from(wasm).toString('base64'))),
});
if (error) {
  process.stderr.write(`${error.message}\n${stderr}`);
  process.exitCode = 1;
}

function moduleOf(code) {
  return `/** WebAssembly of assembly, in base 64: made by scripts/build-scanner.mjs. */\nexport const scannerCode: string =\n  '${code}';\n`;
}
