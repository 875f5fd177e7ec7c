import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { booking } from './review-scene.ts';

/** Places of the review in the page. */
export const review = {
  open: '[data-action=review]',
  part: '.reviewed',
  item: '.reviewed .failure',
  name: '[data-action=review-name]',
  right: '[data-action=review-right]',
  wrong: '[data-action=review-wrong]',
  edit: '[data-action=review-edit]',
  editor: '.reviewed textarea',
  token: '.reviewed input[type=password]',
  status: '.reviewed [role=status]',
} as const;

/** The last message of the review. */
export const statusOf = (page: Page): Promise<string | null> => page.textContent(review.status);

/** Says of some events, one after the other, that the agent was right and the truth was not. */
export async function correctAll(page: Page, number: number): Promise<void> {
  for (let at = 0; at < number; at++) {
    if (at > 0) await page.keyboard.press('e');
    await page.click(review.right);
    await page.fill(review.editor, JSON.stringify(booking('Rome')));
    await page.keyboard.press('Enter');
    await page.waitForSelector(`${review.part} p:has-text("${at + 2} of")`);
    assert.equal(await statusOf(page), 'Sent: right, expected calls given.');
  }
}
