import type { Frame, Page } from 'playwright-core';
import { untilTrue } from './until.ts';

/** The document of a web page that has such an element, once there is one. */
export async function frameWith(page: Page, selector: string): Promise<Frame> {
  const found: Frame[] = [];
  const search = async (): Promise<boolean> => {
    for (const frame of page.frames()) {
      // A frame that is just being replaced has nothing to ask for.
      const count = await frame
        .locator(selector)
        .count()
        .catch(() => 0);
      if (count > 0) found.push(frame);
    }
    return found.length > 0;
  };
  await untilTrue(search);
  const [frame] = found;
  if (!frame) throw new Error(`no web page has ${selector}`);
  return frame;
}

/** The text of the first such element of the window; `undefined` where there is none. */
export async function textIn(page: Page, selector: string): Promise<string | undefined> {
  return page.evaluate((wanted) => document.querySelector(wanted)?.textContent, selector);
}
