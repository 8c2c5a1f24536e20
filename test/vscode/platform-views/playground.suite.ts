import assert from 'node:assert/strict';
import type { HostToResults } from '#features/data/messages.ts';
import { type Draft, emptyDraft } from '#features/playground/draft.ts';
import type { PlaygroundMessage } from '#features/playground/messages.ts';
import { describe, it } from '../runner.ts';
import { replacePages } from '../pages.ts';
import { type } from '../user.ts';
import { stage, platformViews } from '../signed-in-stage.ts';

// A playground, from its page's side: what the page hears and what it asks for.
describe(
  'the views of the platform',
  () => {
    it('runs a query of the playground on the platform, and shows its rows, its SQL and its history', async () => {
      const { user, platform, target } = stage();
      const page = replacePages<PlaygroundMessage | HostToResults>();
      try {
        await user.does('modelbench.playground.open', target);
        assert.equal(page.title(), 'Playground');
        await page.send({ type: 'opened' });
        const model = await page.heard('model', ({ phase }) => phase !== 'loading');
        assert.deepEqual([model.phase, model.message], ['ready', '']);
        assert.notEqual(model.source, '');
        const measure = model.members.find(({ name }) => name === 'orders.count');
        assert.equal(measure?.kind, 'measure');

        const draft: Draft = { ...emptyDraft, measures: ['orders.count'] };
        await page.send({ type: 'change', draft });
        await page.heard('checked', ({ problems, forms }) => problems.length === 0 && forms.length > 0);
        // A platform that issues no tokens for data is given the deployment's secret.
        const secret = process.env['MODELBENCH_SUITES_MODE'] === undefined ? [] : [type(platform.apiSecret)];
        await user.answering(
          async () => {
            await page.send({ type: 'run' });
            const { phase, message, count } = await page.heard('state', (state) => state.phase !== 'running');
            assert.deepEqual([phase, message, count], ['done', '', 1]);
          },
          ...secret,
        );
        await page.send({ type: 'rows', offset: 0, count: 10 });
        const { rows } = await page.heard('rows');
        assert.match(String(rows[0]?.[0]), /^\d+$/);
        await page.heard('history', ({ runs }) => runs[0]?.title === 'orders.count');

        await page.send({ type: 'compile' });
        const sql = await page.heard('sql', ({ phase }) => phase === 'ready' || phase === 'failed');
        assert.match(sql.text, /select[^]*count/i);
        page.close();
      } finally {
        page.restore();
      }
    });
  },
  platformViews,
);
