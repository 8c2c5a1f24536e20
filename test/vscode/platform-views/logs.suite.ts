import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { getEnvVars, setEnvVars } from '#api/resources/runtime.ts';
import type { HostToLog } from '#features/logs/messages.ts';
import { replacePages } from '../pages.ts';
import { pick, type } from '../user.ts';
import { describe, it } from '../runner.ts';
import { stage, type Stage, platformViews } from '../signed-in-stage.ts';

// A log that is followed, from its view’s side: what the view hears and what it asks for.
describe(
  'the views of the platform',
  () => {
    it('follows a log in an editor: filters, pauses, saves, opens the file of a line, and ends with its tab', async () => {
      const { user, platform, target } = stage();
      const folder = mkdtempSync(path.join(tmpdir(), 'modelbench-log-'));
      const page = replacePages<HostToLog>();
      try {
        await writeLog(stage());
        await user.does('modelbench.deployment.showLogs', target);
        assert.match(page.title(), /^Log: .* · production · MAIN$/);
        await user.answering(async () => page.send({ type: 'choose', what: 'container' }), pick('INIT'));
        await page.heard('opened', ({ log }) => log.container === 'INIT');
        const all = await page.heard('state', ({ phase, to }) => phase === 'following' && to > 0);
        await page.send({ type: 'lines', offset: all.from, count: all.to - all.from });
        const { lines } = await page.heard('lines');
        assert.match(lines[0]?.[0] ?? '', /^\d{4}-\d\d-\d\d \d\d:\S+ \S+ .*│ \S/);
        const word = /│ (\w+)/.exec(lines[0]?.[0] ?? '')?.[1] ?? '';
        await page.send({ type: 'filter', text: word, level: 'debug' });
        const some = await page.heard('state', ({ isFiltered, to }) => isFiltered && to > 0);
        await page.send({ type: 'pause' });
        await page.heard('state', ({ isPaused }) => isPaused);

        const file = path.join(folder, 'kept.log');
        await user.answering(async () => {
          await page.send({ type: 'save' });
        }, type(file));
        assert.equal(readFileSync(file, 'utf8').trimEnd().split('\n').length, some.to - some.from);

        await page.send({ type: 'open', path: 'conf/model/cubes/orders.yml', line: 2 });
        assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /model\/cubes\/orders\.yml$/);
        assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);

        page.close();
        await platform.faults([{ kind: 'status', status: 403, path: 'logs' }]);
        const refused = replacePages<HostToLog>();
        await user.does('modelbench.deployment.showLogs', target);
        await user.answering(
          async () => refused.send({ type: 'choose', what: 'container' }),
          pick('Another Container…'),
          type('own-server'),
        );
        assert.match(
          (await refused.heard('state', ({ phase }) => phase === 'failed')).message,
          /refused .*ask an administrator/,
        );
        await platform.faults([]);
        await refused.send({ type: 'retry' });
        await refused.heard('state', ({ phase }) => phase === 'following');
        refused.close();
      } finally {
        page.restore();
        await platform.faults([]);
        rmSync(folder, { recursive: true, force: true });
      }
    });
  },
  platformViews,
);

/** Lets the platform log a line of the production: it restarts with the variables that it has. */
async function writeLog({ platform, target: { deploymentId } }: Stage): Promise<void> {
  const { env_variables } = await platform.client.call(getEnvVars, { params: { deploymentId } });
  const same = env_variables.map(({ name, value = '' }) => ({ name, value }));
  await platform.client.call(setEnvVars, { params: { deploymentId }, body: { env_variables: same } });
}
