import { existsSync } from 'node:fs';

/** The folder of this package. Compiled and bundled, this file lies at different depths of it. */
export const packageFolder: URL = folderWith('package.json', new URL('.', import.meta.url));

/** The built web page: one file. */
export const pageFile: URL = new URL('dist/page/index.html', packageFolder);

/** The OpenAPI document of the HTTP API. */
export const openApiFile: URL = new URL('schemas/openapi.json', packageFolder);

function folderWith(file: string, folder: URL): URL {
  return existsSync(new URL(file, folder)) ? folder : folderWith(file, new URL('..', folder));
}
