import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds, whatever its impact, each with the elements it is about. */
export async function findings(page: Page): Promise<readonly (readonly string[])[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    type Report = { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] };
    const { axe: tool } = window as unknown as { axe: { run: (options: object) => Promise<Report> } };
    // Of what passes, each rule describes one element instead of all.
    const { violations } = await tool.run({ resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => [
      id,
      ...nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`),
    ]);
  });
}
