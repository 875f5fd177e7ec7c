import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences (SPDX) that ask for no more than their text and notices to be handed on. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
];

/**
 * The packages of the lock file that are installed and not for development alone, by path. An Error where one must not be shipped: its
 * licence is not permissive, or it runs a script of its own when it is installed.
 *
 * @returns {{ path: string, name: string, version: string, license: string, integrity: string, natives: string[], text: string }[]}
 */
export function shippedPackages() {
  const { '': _project, ...locked } = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  const paths = Object.keys(locked).filter((path) => !locked[path].dev && existsSync(path));
  return paths.map((path) => {
    const { version, license, integrity, hasInstallScript, optionalDependencies } = locked[path];
    const name = path.replace(/^.*node_modules\//, '');
    if (!isPermissive(license)) throw new Error(`${path}: its licence is ${license}; it cannot be shipped`);
    if (hasInstallScript) throw new Error(`${path}: it runs a script when it is installed; it cannot be shipped`);
    return {
      path,
      name,
      version,
      license,
      integrity,
      natives: Object.keys(optionalDependencies ?? {}),
      text: licenceOf(path),
    };
  });
}

/** An Error where a bundle (a metafile of esbuild) holds a package that is not shipped, so that nobody would know of it. */
export function assertShipped({ inputs }) {
  const paths = shippedPackages().map(({ path }) => `${path}/`);
  const stranger = Object.keys(inputs).find(
    (input) => input.includes('node_modules/') && !paths.some((path) => input.startsWith(path)),
  );
  if (stranger !== undefined) throw new Error(`${stranger} is bundled, but not of "dependencies" in package.json`);
}

/** "MIT", "MIT AND ISC" and "(MIT OR GPL-2.0)". */
function isPermissive(expression = 'unknown') {
  const anyOf = expression.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return anyOf.some((terms) => terms.split(' AND ').every((licence) => permissive.includes(licence)));
}

function licenceOf(path) {
  const files = readdirSync(path).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  return files.map((name) => readFileSync(join(path, name), 'utf8').trim()).join('\n\n');
}
