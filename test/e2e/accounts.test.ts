import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { inOneWindow, type Stage } from './journey.ts';

const view = 'Deployments';

describe('accounts', () => {
  const config = mkdtempSync(join(tmpdir(), 'modelbench-cli-'));
  // Declared first, so it runs last: the window is closed by then.
  afterAll(() => rmSync(config, { recursive: true, force: true, maxRetries: 3 }));
  const play = inOneWindow({ platform: { faults: true }, host: { env: { XDG_CONFIG_HOME: config } } });

  play(
    'that cannot be signed in to: one sentence says what is wrong, under the input that is to blame',
    'sign-in-faults',
    failToSignIn,
  );
  play(
    'are imported from the command-line client, bound to a folder, signed out, and signed in with a browser',
    'accounts',
    async (stage) => {
      await importContexts(stage, config);
      await bindFolder(stage);
      await signOut(stage);
      await signInWithBrowser(stage);
    },
  );
});

async function failToSignIn({ workbench, platform, url }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await workbench.run('Modelbench: Sign In');
  for (const [typed, problem] of [
    ['http://platform.example', /https/i],
    ['not a url', /address|URL/i],
  ] as const) {
    await workbench.answer('(1/2)', typed);
    await workbench.quickInput.getByText(problem).first().waitFor();
  }
  await workbench.picture('no-plain-http');
  // A port without a server: it is tried before a key is asked for.
  await workbench.answer('(1/2)', 'http://127.0.0.1:9');
  await workbench.quickInput
    .getByText(/reach|refused|connect/i)
    .first()
    .waitFor();
  await workbench.picture('nobody-there');
  await workbench.answer('(1/2)', url);
  for (const [key, problem] of [
    ['no-such-key', /not accepted|refused|wrong|invalid|not know/i],
    [platform.control.demo.keys.expired, /expired|not accepted|refused/i],
  ] as const) {
    await workbench.answer('(2/2)', key);
    await workbench.quickInput.getByText(problem).first().waitFor();
  }
  await workbench.picture('wrong-key');
  platform.control.faults([{ kind: 'html', path: '/api/v1/', times: 1 }]);
  await workbench.answer('(2/2)', platform.apiKey);
  await workbench.quickInput
    .getByText(/web page|HTML|JSON/i)
    .first()
    .waitFor();
  await workbench.picture('a-web-page');
  await workbench.page.keyboard.press('Escape');
  await expect.poll(async () => workbench.rows('Deployments')).toEqual([]);
}

async function importContexts({ workbench, platform, url }: Stage, config: string): Promise<void> {
  const { keys } = platform.control.demo;
  await workbench.openContainer('Modelbench');
  await workbench.view('Changes').getByRole('button', { name: 'Sign In' }).waitFor();
  await workbench.run('Modelbench: Import Sign-Ins of the Command-Line Client');
  await workbench.notification(/There is no configuration of the command-line client on this machine/).waitFor();
  await workbench.clearNotifications();

  const context = (name: string, key: string): string => `[contexts.${name}]\nurl = "${url}"\napi_key = "${key}"\n`;
  mkdirSync(join(config, 'cube'));
  writeFileSync(
    join(config, 'cube/config.toml'),
    `default_context = "work"\n${context('work', keys.unscoped)}${context('robot', keys.scoped)}${context('old', keys.expired)}`,
  );
  await workbench.run('Modelbench: Import Sign-Ins of the Command-Line Client');
  await workbench.tick('robot');
  await workbench.tick('old');
  await workbench.picture('contexts');
  await workbench.confirmTicked();
  await workbench.notification(/One sign-in could not be imported\. old: /).waitFor();
  await workbench.picture('imported');
  await workbench.clearNotifications();
  // With room for the deployments of both.
  await workbench.openOnly(view);
  for (const name of ['work', 'robot']) await workbench.row(view, name).waitFor();
  await expect.poll(async () => workbench.row(view, 'old').count()).toBe(0);
}

async function bindFolder({ workbench }: Stage): Promise<void> {
  const choose = 'Modelbench: Choose Account of Folder';
  await workbench.run(choose);
  await workbench.option('work').filter({ hasText: 'current' }).waitFor();
  await workbench.picture('account of the folder');
  await workbench.pick('robot');
  // Its message disappears, and other messages may hide it: the list is read until it shows it.
  const robot = workbench.option('robot');
  do {
    await workbench.run(choose);
    await robot.waitFor();
  } while ((await robot.filter({ hasText: 'current' }).count()) === 0);
  await workbench.page.keyboard.press('Escape');
}

async function signOut({ workbench }: Stage): Promise<void> {
  await workbench.run('Modelbench: Sign Out');
  await workbench.pick('work');
  await workbench.dialog('Sign Out and Erase');
  await workbench.message('Signed out of work: its key and its stored data are erased').waitFor();
  // The only account has no node of its own: its deployments are at the top.
  await workbench.row(view, 'robot').waitFor({ state: 'detached' });
  await workbench.row(view, 'Shop analytics').waitFor();
}

async function signInWithBrowser({ workbench, platform, url }: Stage): Promise<void> {
  const { demo } = platform.control;
  await workbench.run('Modelbench: Sign In');
  await workbench.answer('Tenant URL', url);
  await workbench.questionButton('Sign in with a browser instead', workbench.option(/Copy Code and Open Browser/));
  await workbench.picture('code');
  const input = workbench.quickInput.locator('input.input');
  const code = /Your code is ([A-Z]{4}-[A-Z]{4})\./;
  await expect.poll(async () => input.getAttribute('placeholder')).toMatch(code);
  const [, userCode = ''] = code.exec((await input.getAttribute('placeholder')) ?? '') ?? [];
  expect(platform.control.decideDevice(userCode, demo.owner)).toBe(true);
  await workbench.row(view, new URL(url).host).waitFor();
  await workbench.message('Signed in to').waitFor();
  await workbench.picture('signed in with a browser');
  expect(await workbench.notifications()).toEqual([]);
}
