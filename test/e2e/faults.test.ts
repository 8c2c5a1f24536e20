import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inOneWindow, journey, type Stage } from './journey.ts';
import { mergeConflicts, startDevMode } from './merge-conflicts.journey.ts';
import { devBranch, differences, remoteFile, writes } from './platform-state.ts';
import { pressUntilGone, untilDone, untilSeen } from './until.ts';

const orders = 'model/cubes/orders.yml';

describe('a workspace that is not trusted', () => {
  it('shows the platform and sends it nothing', async () => {
    const options = { signedIn: true, isRestricted: true, platform: { faults: true } };
    await journey('untrusted', options, async (stage) => {
      const { workbench, platform } = stage;
      await workbench.openContainer('Modelbench');
      await workbench.widenSideBar(400);
      await workbench.row('Branches', 'main').waitFor();
      await workbench
        .view('Changes')
        .getByText(/Restricted Mode/)
        .waitFor();
      await workbench.picture('restricted');
      await untilSeen(workbench.option('Modelbench: Show Log'), async (timeout) => {
        if (await workbench.quickInput.isVisible()) await workbench.page.keyboard.press('Escape');
        await workbench.page.keyboard.press('F1');
        await workbench.quickInput.locator('input.input').fill('>Modelbench: S', { timeout });
      });
      expect(await workbench.option(/Start Dev Mode/).count()).toBe(0);
      await workbench.page.keyboard.press('Escape');
      await workbench.run('Modelbench: Open API Explorer');
      await workbench.quickInput.locator('input.input').fill('createBranch');
      await workbench.pick('createBranch');
      await workbench.tab('createBranch.request.json').waitFor();
      await workbench.run('Modelbench: Send API Request');
      await workbench.notification('In Restricted Mode only GET requests are sent').waitFor();
      await workbench.openFile('orders.yml');
      await workbench.typeBelow(5, '    meta:\n      owner: finance');
      await workbench.save();
      expect(platform.control.requestLog.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(writes(stage)).toEqual([]);
      await meetHostileLink(stage);
    });
  });
});

/** A repository whose tenant is written as a link and an icon: its name is text, wherever it is shown. */
async function meetHostileLink({ workbench, folder }: Stage): Promise<void> {
  await workbench.clearNotifications();
  const tenant = 'https://acme.example.com/[Repair](command:workbench.action.terminal.new)$(zap)';
  const link = { tenant, deployment: '1', modelPath: 'model' };
  await writeFile(join(folder, 'modelbench.json'), JSON.stringify(link));
  // The folder belongs to another tenant now.
  await workbench.view('Branches').getByText('Choose the deployment').waitFor();
  await workbench.run('Modelbench: Choose Account of Folder');
  const message = workbench.notification(/You are not signed in to .*acme\.example\.com/);
  await message.waitFor();
  await workbench.picture('hostile-link');
  expect(await message.locator('.notification-list-item-message a').count()).toBe(0);
  expect(await workbench.page.locator('.codicon-zap:visible').count()).toBe(0);
}

describe('a dev branch', () => {
  // As on a desktop: nothing is saved before the user saves it.
  const host = { settings: { 'files.autoSave': 'off' } };
  const play = inOneWindow({ signedIn: true, platform: { faults: true }, host });

  play(
    'merges files that changed on both sides, with base, platform and local in view, one after the other, and loses neither side',
    'conflicts',
    mergeConflicts,
    startDevMode,
  );
  play(
    'is saved to while the platform is away: nothing is lost, and it catches up',
    'offline',
    saveOffline,
    startDevMode,
  );
  play('is shown in each theme with a build that failed, and the chat beside it', 'themes', showThemes, startDevMode);
  play(
    'never loses a file that changed on both sides: a person decides',
    'both-changed',
    changeOnBothSides,
    startDevMode,
  );
});

async function saveOffline(stage: Stage): Promise<void> {
  const { workbench, platform } = stage;
  await workbench.status(/dev-\S+ · in sync/).waitFor();
  const branch = await devBranch(stage);
  platform.control.faults([{ kind: 'reset' }]);
  await workbench.openFile('orders.yml');
  await workbench.typeBelow(5, '    meta:\n      owner: finance');
  await workbench.save();
  await workbench.status(/waiting|↑1/).waitFor();
  await workbench.picture('waiting');
  expect(await remoteFile(stage, branch, orders)).not.toContain('owner: finance');
  platform.control.faults([]);
  await expect.poll(async () => differences(stage, branch)).toEqual([]);
  await workbench.status(/ in sync /).waitFor();
  await workbench.picture('caught-up');
}

async function showThemes({ workbench, host }: Stage): Promise<void> {
  await workbench.status(/ in sync · .*built/s).waitFor();
  await workbench.openFile('orders.yml');
  await workbench.typeBelow(4, '    extends: nothing');
  await workbench.save();
  await workbench.status(/failed/).waitFor();
  await workbench.notification(/The build of .* failed/).waitFor();
  await workbench.pictures('build-failed');
  await workbench.replaceLine(5, '# extends nothing');
  await workbench.save();
  await workbench.status(/ in sync · .*built/s).waitFor();
  await workbench.clearNotifications();
  const chat = await workbench.openChat();
  await chat.getByRole('heading', { name: 'Ask about your data' }).waitFor();
  await workbench.pictures('chat');
  expect(host.output()).not.toContain('Unhandled');
}

async function changeOnBothSides(stage: Stage): Promise<void> {
  const { workbench, platform, url, folder } = stage;
  await workbench.openContainer('Modelbench');
  await workbench.status(/dev-\S+ · in sync/).waitFor();
  const branch = await devBranch(stage);
  const before = (await remoteFile(stage, branch, orders)) ?? '';
  const theirs = before.replace(/title: (?:Orders|Deals)/, 'title: Sales');
  expect(theirs).not.toBe(before);
  const response = await fetch(`${url}/build/api/v1/deployments/1/data-model/files`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${platform.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ branchName: branch, files: [{ path: orders, content: theirs }] }),
  });
  expect(response.ok).toBe(true);
  await workbench.openFile('orders.yml');
  await workbench.replaceLine(4, 'title: Contracts');
  await workbench.save();
  await workbench.status(/⚠/).waitFor();
  await workbench.row('Changes', 'orders.yml').waitFor();
  await workbench.picture('conflict');
  await expect.poll(async () => remoteFile(stage, branch, orders)).toBe(theirs);
  await workbench.run('Modelbench: Take Platform’s Version');
  await expect.poll(async () => differences(stage, branch)).toEqual([]);
  await workbench.notification('Your version is in the trash').waitFor();
  await workbench.picture('taken');
  // What was given up is a row of the trash, compared with what is there, and back.
  const compare = workbench.quickInput.getByRole('button', { name: 'Compare with Current File' }).first();
  // A click is lost where the list is redrawn under it, or where a hint covers it until it is opened again. Comparing twice shows the same.
  await untilDone(async (timeout) => {
    await workbench.run('Modelbench: Restore from Trash…');
    await workbench
      .option(/orders\.yml/)
      .first()
      .waitFor({ timeout });
    await compare.click({ timeout });
    await workbench.tab(/Now ↔ Trash/).waitFor({ timeout });
  });
  await workbench.picture('trash');
  await pressUntilGone(workbench.quickInput.getByRole('button', { name: 'OK' }));
  await expect.poll(async () => readFile(join(folder, orders), 'utf8')).toContain('title: Contracts');
}
