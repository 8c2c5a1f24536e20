import { join } from 'node:path';
import { Store } from '#base/store.ts';
import { parseReviewToHost } from '#features/review/messages.ts';
import { ReviewSession } from '#features/review/review-session.ts';
import type { ReviewSource } from '#features/review/index.ts';
import type { AskTarget } from '#shell/targets.ts';
import type { BundledPage } from './bundled-page.ts';
import { connect, dress, ORIGIN, serve, type Watched } from './page.ts';
import { type Theme, themes } from './themes.ts';

/** The production page under the production policy, of any source. */
export async function drawReview(
  bundle: BundledPage,
  source: ReviewSource,
  theme = themes[0] as Theme,
  viewport = { width: 1000, height: 700 },
) {
  const page = await bundle.pages.open(viewport);
  const watched: Watched = { requests: [], problems: [] };
  const asked: AskTarget[] = [];
  const session = new ReviewSession(source, {
    accounts: new Store<readonly { readonly id: string }[]>([]),
    post: (message) => void page.evaluate((data) => window.postMessage(data, '*'), message).catch(() => undefined),
    ask: (question) => Promise.resolve(void asked.push(question)),
    end: () => session.dispose(),
  });
  await serve(page, bundle.folder, 'review', watched);
  await connect(page, (raw) => {
    const message = parseReviewToHost(raw);
    if (message) void session.receive(message);
  });
  await page.goto(`${ORIGIN}/`);
  await dress(page, theme);
  await page.getByRole('tree', { name: 'Files' }).or(page.locator('.empty')).waitFor();
  const picture = async (name: string) => page.screenshot({ path: join(bundle.pictures, `${name}.png`) });
  return { page, watched, picture, asked };
}
