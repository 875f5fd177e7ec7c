import { createPage } from './page.tsx';

const embedded = document.querySelector('#document')?.textContent?.trim() ?? '';
createPage(document.querySelector('#page')!, embedded === '' ? undefined : JSON.parse(embedded));
