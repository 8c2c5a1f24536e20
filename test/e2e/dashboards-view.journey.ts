import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { getWorkbookDashboard, updateWorkbookDashboard } from '#api/resources/dashboards.ts';
import { send } from '#support/platform.ts';
import type { Stage } from './journey.ts';
import { replaceLine } from './replace-line.ts';
import { untilDone } from './until.ts';

const params = { deploymentId: 1, workbookId: 1 };
const tab = 'Store performance.dashboard.json';

/** Documents with a preview: live, checked, merged with a newer draft, asked about conflicts. */
export async function dashboardsView(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await open(stage);
  await preview(stage);
  await jump(stage);
  await merge(stage);
  await refuse(stage);
  await decide(stage);
  await publish(stage);
  await reload(stage);
  await workbench.setTheme('dark');
  await workbench.picture('dark');
  expect(await workbench.notifications()).toEqual([]);
  // Nothing of it is left for the next.
  await workbench.setTheme('light');
  await workbench.page.locator('.tabs-container .tab.dirty').first().waitFor({ state: 'detached' });
  await workbench.run('View: Close All Editors');
  await workbench.page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
}

async function open({ workbench }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await workbench.row('Branches', 'main').waitFor();
  await workbench.openOnly('Workspace');
  const dashboard = workbench.row('Workspace', 'Store performance');
  await workbench.expand(workbench.row('Workspace', 'Sales'), dashboard);
  await workbench.rowAction(dashboard, 'Edit Draft…', workbench.tab(tab));
  await expect.poll(async () => workbench.editorText()).toContain('"title": "Store performance"');
  // The window's next journey begins there.
  await workbench.openView('Branches');
}

async function preview({ workbench }: Stage): Promise<void> {
  await workbench.run('Modelbench: Preview Dashboard Layout');
  await workbench.webview().getByRole('heading', { name: 'Store performance' }).waitFor();
  await workbench
    .webview()
    .getByRole('button', { name: /trend CHART/ })
    .waitFor();
  await workbench.showText(tab);
  await replaceLine(workbench, '"title"', '"title": "Mine",');
  await workbench.webview().getByRole('heading', { name: 'Mine' }).waitFor();
  await workbench.webview().getByRole('tab', { name: 'sm' }).click();
  await workbench.picture('preview');
}

/** A click on a widget leads to its JSON, and the cursor in the JSON to the widget. */
async function jump(stage: Stage): Promise<void> {
  const { workbench } = stage;
  const { page } = workbench;
  const tile = (name: RegExp, pressed: boolean) => workbench.webview().getByRole('button', { name, pressed });
  const lines = JSON.stringify(await draft(stage), undefined, 2).split('\n');
  // The brace before the id, counted from 1.
  const lineOf = (id: string): number => lines.findIndex((each) => each.includes(`"id": "${id}"`));
  await tile(/why AI/, false).click();
  await tile(/why AI/, true).waitFor();
  await page
    .locator('[id="status.editor.selection"]')
    .filter({ hasText: `Ln ${lineOf('why')}, ` })
    .waitFor();
  await page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
  await workbench.goToEndOf(lineOf('trend') + 1);
  await tile(/why AI/, false).waitFor();
  await tile(/trend CHART/, true).waitFor();
}

/** A colleague has saved another field meanwhile. */
async function merge(stage: Stage): Promise<void> {
  await colleague(stage, { description: 'Theirs' });
  // Out of the preview and into the text, whose keys are VS Code's.
  await stage.workbench.showText(tab);
  await stage.workbench.focusEditor();
  await sendUntil(stage, { title: 'Mine', description: 'Theirs' });
  await stage.workbench.message('merged and saved').waitFor();
  // The editor shows it too: a later save must not take it back.
  await expect.poll(async () => stage.workbench.editorText()).toContain('"description": "Theirs"');
}

async function refuse({ workbench, ...stage }: Stage): Promise<void> {
  await replaceLine(workbench, '"kind"', '"kind": "MODERN",');
  await workbench.sendUntil(workbench.notification('kind must be one of CLASSIC, APP'));
  await (await workbench.problem('kind must be one of CLASSIC, APP')).waitFor();
  await workbench.picture('refused');
  await expect.poll(async () => draft({ workbench, ...stage })).toMatchObject({ kind: 'CLASSIC' });
  await workbench.closePanel();
  await workbench.clearNotifications();
  await replaceLine(workbench, '"kind"', '"kind": "CLASSIC",');
}

/** What the editor shows at the top of its document. VS Code scrolls a tab that comes back to where it was, after a key as well. */
async function textAtTop(workbench: Stage['workbench']): Promise<string> {
  await workbench.focusEditor();
  await workbench.page.keyboard.press('Control+Home');
  return workbench.editorText();
}

/** Both change the title: the user compares, chooses, and saves. */
async function decide(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await replaceLine(workbench, '"title"', '"title": "Still mine",');
  await colleague(stage, { title: 'Theirs too', settings: { theirs: true } });
  await workbench.sendUntil(workbench.dialogText.filter({ hasText: 'you both changed the same' }));
  await workbench.picture('conflict');
  await workbench.dialog('Compare');
  await workbench.tab('platform ↔ mine').waitFor();
  await workbench.picture('compare');
  await expect.poll(async () => draft(stage)).toMatchObject({ title: 'Theirs too' });
  // Giving up one's own change brings the colleague's text, and Undo the merged one: nothing of theirs is lost.
  await workbench.showText(tab);
  await workbench.run('File: Revert File');
  await expect.poll(async () => workbench.editorText()).toContain('"title": "Theirs too"');
  await workbench.focusEditor();
  await workbench.page.keyboard.press('Control+Z');
  await expect.poll(async () => workbench.editorText()).toContain('"title": "Still mine"');
  await sendUntil(stage, { title: 'Still mine', settings: { theirs: true } });
}

/** What changes for others is said before, and shown beside what they see now. */
async function publish(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.showText(tab);
  await workbench.run('Modelbench: Publish Dashboard');
  await workbench.quickInput.getByText(/\d changes: .*title/).waitFor();
  await workbench.picture('publish');
  await workbench.pick('Show Difference');
  await workbench.tab('published ↔ draft').waitFor();
  await workbench.option('Publish').waitFor();
  await workbench.picture('published and draft');
  await workbench.pick('Publish');
  await workbench.message('is published').waitFor();
  const { dashboardPublished } = (await send(stage.platform, getWorkbookDashboard, { params })).value;
  expect(dashboardPublished).toMatchObject({ title: 'Still mine', settings: { theirs: true } });
  await workbench.showTab('published ↔ draft');
  await workbench.run('View: Close Editor');
  await workbench.tab('published ↔ draft').waitFor({ state: 'detached' });
  await workbench.showText(tab);
}

/** The editor comes back with what was typed, and what a colleague saved meanwhile is merged. */
async function reload(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await replaceLine(workbench, '"description"', '"description": "Typed before",');
  // Auto save keeps it; the mark says that nothing was sent.
  await workbench
    .tab(tab)
    .locator('.monaco-icon-label[aria-label*="Not sent"]')
    .or(workbench.tab(/!/))
    .first()
    .waitFor();
  await colleague(stage, { kind: 'APP' });
  await expect.poll(() => isStored(stage, 'Typed before')).toBe(true);
  await workbench.page.reload();
  await workbench.ready();
  await workbench.showText(tab);
  await expect.poll(async () => textAtTop(workbench)).toContain('"description": "Typed before"');
  // The preview comes back as well, at the breakpoint that was shown.
  await workbench.webview().getByRole('heading', { name: 'Still mine' }).waitFor();
  await workbench.webview().getByRole('tab', { name: 'sm', selected: true }).waitFor();
  await workbench.picture('reloaded');
  await sendUntil(stage, { description: 'Typed before', kind: 'APP' });
}

/** Whether the extension has a text that was not sent on the disk. */
function isStored({ host }: Stage, wanted: string): boolean {
  const folder = join(host.dataDir, 'data/User/globalStorage');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /unsent.+\.json$/.test(path),
  );
  return files.some((path) => readFileSync(join(folder, path), 'utf8').includes(wanted));
}

/** Saves as a user does who sees the mark of what was not sent: VS Code takes a save that comes while auto save runs for the same one. */
async function sendUntil(stage: Stage, wanted: object): Promise<void> {
  await untilDone(async (timeout) => {
    await stage.workbench.page.keyboard.press('Control+S');
    await expect.poll(async () => draft(stage), { timeout }).toMatchObject(wanted);
  });
  // The platform keeps the fields in an order of its own: what is typed next belongs into the text that has it.
  const fields = async (): Promise<unknown> =>
    (await textAtTop(stage.workbench)).match(/(?<=^ {2}")\w+/gm)?.slice(0, 4);
  await expect.poll(fields).toEqual(Object.keys(await draft(stage)).slice(0, 4));
}

async function draft({ platform }: Stage): Promise<object> {
  return (await send(platform, getWorkbookDashboard, { params })).value.dashboardDraft ?? {};
}

async function colleague(stage: Stage, change: object): Promise<void> {
  const dashboardDraft = { ...(await draft(stage)), ...change } as never;
  await send(stage.platform, updateWorkbookDashboard, { params, body: { dashboardDraft } });
}
