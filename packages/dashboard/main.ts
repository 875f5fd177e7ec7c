import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import { initialChoices } from './choices.ts';
import { createPage } from './page.tsx';
import { poll } from './poll.ts';

const root = document.querySelector('#page')!;
const embedded = document.querySelector('#document')?.textContent?.trim() ?? '';
const choices = initialChoices();
const page = createPage(root, choices);
if (embedded === '') poll(page, choices);
else page.showReport(JSON.parse(embedded) as LiveDocument);
