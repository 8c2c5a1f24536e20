import { describe, expect, it } from 'vitest';
import { getEnvVars, setEnvVars } from '#api/resources/runtime.ts';
import { signedJwt } from '#features/data/jwt.ts';
import { readModes } from '#platform/modes/modes.ts';
import { send } from '#support/platform.ts';
import { beginWithChat, testAnswers } from './answers.journey.ts';
import { askAboutCell } from './ask-the-agent.journey.ts';
import { cubeCoreProject, queryCubeCore } from './cube-core.journey.ts';
import { startDevModeOn } from './dev-mode.ts';
import { inOneWindow, journey, type Stage } from './journey.ts';
import {
  beginInPlayground,
  beginOnDevBranch,
  beginWithMeasure,
  followSql,
  mendTest,
  playground,
  seeMeasure,
} from './queries.journey.ts';
import { saveQuery } from './save-query.journey.ts';
import { choosePush } from './upload-anyway.ts';

const built = /dev-\S+ · in sync · .*built/s;

describe('data in a real VS Code', () => {
  it('is queried once a secret or a token works, and the user is asked again once the server refuses it', async () => {
    // A strict platform issues no tokens for data: the user is asked for the secret of the deployment.
    const platform = { modes: readModes('strict') };
    const settings = { 'files.autoSave': 'off', 'modelbench.sync.onSave': undefined };
    await journey('data-tokens', { signedIn: true, platform, host: { settings } }, async (stage) => {
      await askForToken(stage);
      await changeSecret(stage);
      const page = await playground(stage.workbench);
      await expect.poll(async () => page.getByRole('gridcell').innerText()).toMatch(/^\d+$/);
    });
  });
});

describe('a Cube Core server in a real VS Code', () => {
  const play = inOneWindow({ linked: false, files: cubeCoreProject });

  play('is found and queried without an account, and explained when it stops', 'data-cube-core', queryCubeCore);
});

describe('queries in a real VS Code', () => {
  const play = inOneWindow({ signedIn: true, host: { settings: { 'files.autoSave': 'off' } } });

  play('show a measure as a chart four actions after it was written', 'data-measure', seeMeasure, beginOnDevBranch);
  play('are compiled at the cursor while it moves', 'data-sql', followSql, beginWithMeasure);
  play(
    'are judged by tests that are red, mended and green in the Test Explorer',
    'data-tests',
    mendTest,
    beginOnDevBranch,
  );
  play('lead from a value of their rows to a question for the agent', 'data-ask', askAboutCell, beginInPlayground);
  play(
    'are saved from the playground as files, which open the same query again',
    'data-save',
    saveQuery,
    beginInPlayground,
  );
  play(
    'of answers are explained, opened, saved, and compared on two branches before a commit',
    'data-answers',
    testAnswers,
    beginWithChat,
  );
});

/** What is wrong with a secret or a token is explained in the form, which stays; nothing is kept until one works. */
async function askForToken({ workbench, platform }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await workbench.widenSideBar(300);
  await startDevModeOn(workbench, 'main');
  await workbench.status(built).waitFor();
  await workbench.openFile('orders.yml');
  await workbench.replaceLine(4, 'title: Customer orders');
  await workbench.save();
  await choosePush(workbench, 'Push Automatically');
  await workbench.run('Modelbench: Choose Whether JavaScript Models Run');
  await workbench.notificationButton(/has JavaScript files/, 'Run in the Sandbox');
  await workbench.lensAction('Query This', workbench.tab('Playground'));
  const page = await playground(workbench);
  await page.getByRole('button', { name: 'Remove orders.count' }).waitFor();
  await page.getByRole('button', { name: 'Run Query' }).click();
  const refused = await signedJwt('another secret', {}, { now: Date.now(), lifetimeMs: 3_600_000 });
  const expired = await signedJwt(platform.control.demo.apiSecret, {}, { now: 0, lifetimeMs: 60_000 });
  const wrong = [
    ['another secret', 'The server refused a token that was signed with this secret.'],
    [expired, 'This token has expired.'],
    [refused, 'The server refused this token.'],
  ] as const;
  for (const [typed, problem] of wrong) {
    await workbench.answer(/Query Data in Shop analytics/, typed);
    await workbench.quickInput.getByText(problem).first().waitFor();
    await workbench.picture('refused');
  }
  await workbench.answer(/Query Data in Shop analytics/, platform.control.demo.apiSecret);
  await page.getByText(/^1 row in /).waitFor();
  await workbench.picture('accepted');
}

/** The secret was changed on the platform: the stored one is not used again. */
async function changeSecret({ workbench, platform }: Stage): Promise<void> {
  const params = { deploymentId: 1 };
  const { env_variables: variables } = (await send(platform, getEnvVars, { params })).value;
  const changed = variables.map((each) => (each.name === 'CUBEJS_API_SECRET' ? { ...each, value: newSecret } : each));
  await send(platform, setEnvVars, { params, body: { env_variables: changed } });
  const page = await playground(workbench);
  await page.getByRole('button', { name: 'Run Query' }).click();
  await workbench.quickInput.getByText('The server no longer accepts').first().waitFor();
  await workbench.picture('no-longer-accepted');
  await workbench.answer(/Query Data in Shop analytics/, newSecret);
  await page.getByText(/^1 row in /).waitFor();
}

const newSecret = 'a secret that was changed on the platform';
