import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { listOidcTokenConfigs } from '#api/resources/oidc.ts';
import { listScimUsers } from '#api/resources/scim.ts';
import { answered, createObjects, writeDocument } from './administration-objects.journey.ts';
import type { Stage } from './journey.ts';

const view = 'Administration';
const analyst = 'linus@shop.example';

/** Users, attributes, values, groups and what cannot be undone, as documents and from the rows. */
export async function administrationView(stage: Stage): Promise<void> {
  await look(stage);
  await deactivate(stage);
  await failForOne(stage);
  await activateInTable(stage);
  await edit(stage);
  await editAsForm(stage);
  await createObjects(stage);
  await deleteTyped(stage);
  await stage.workbench.pictures('deleted');
  expect(await stage.workbench.notifications()).toEqual([]);
}

async function look({ workbench }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await workbench.openOnly(view);
  await workbench.expand(workbench.row(view, 'Embed Tenants'), workbench.row(view, 'wholesale'));
  await workbench.expand(workbench.row(view, 'OIDC Token Configurations'), workbench.row(view, 'Warehouse'));
  await workbench.expand(workbench.row(view, 'Users'), workbench.row(view, analyst));
  await workbench.sideBarPictures('view');
  await workbench.widenSideBar(340);
}

async function deactivate(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await choose(stage, analyst, 'Deactivate', workbench.dialogText);
  await workbench.dialogText.filter({ hasText: analyst }).waitFor();
  await workbench.dialog('Deactivate');
  await workbench.message('1 user deactivated').waitFor();
  await workbench.row(view, analyst).filter({ hasText: 'inactive' }).waitFor();
  const { Resources: users } = await answered(stage, listScimUsers, {});
  expect(users).toContainEqual(expect.objectContaining({ userName: analyst, active: false }));
}

/** Nobody may deactivate themselves: the others are done, and the one is named with its reason. */
async function failForOne(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.row(view, 'grace@shop.example').click();
  await workbench.row(view, 'ada@shop.example').click({ modifiers: ['Control'] });
  await choose(stage, 'grace@shop.example', 'Deactivate', workbench.dialogText);
  await workbench.dialog('Deactivate');
  await workbench.notification(/1 user deactivated, 1 not\. ada@shop\.example: You cannot/).waitFor();
  await workbench.picture('failed for one');
  await workbench.clearNotifications();
  const { Resources: users } = await answered(stage, listScimUsers, {});
  expect(users).toContainEqual(expect.objectContaining({ userName: 'grace@shop.example', active: false }));
  expect(users).toContainEqual(expect.objectContaining({ userName: 'ada@shop.example', active: true }));
}

async function edit(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.openRow(workbench.row(view, analyst), workbench.tab(`${analyst}.json`));
  await expect.poll(async () => workbench.editorText()).toMatch(/"\$schema".*\n.*"email": "linus@shop\.example"/);
  await writeDocument(stage, { email: 'nobody' });
  await workbench.sendUntil(workbench.notification('email: must be an e-mail address'));
  await (await workbench.problem('email: must be an e-mail address')).waitFor();
  await workbench.picture('refused');
  await workbench.closePanel();
  await workbench.clearNotifications();
  await writeDocument(stage, { email: analyst, firstName: 'Lin' });
  await workbench.sendUntil(workbench.dialogText.filter({ hasText: '+ First name: "Lin"' }));
  await workbench.picture('asked');
  await workbench.dialog('Show Difference');
  await workbench.tab('platform ↔ document').waitFor();
  await workbench.option('Save').waitFor();
  await workbench.picture('difference');
  await workbench.pick('Save');
  await workbench.message('Saved user “linus@shop.example”').waitFor();
  const { Resources: users } = await answered(stage, listScimUsers, {});
  expect(users).toContainEqual(expect.objectContaining({ userName: analyst, displayName: 'Lin Pauling' }));
}

async function editAsForm(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.run('Modelbench: Edit as Form');
  const form = workbench.webview();
  await form.getByRole('heading', { name: /linus@shop\.example/ }).waitFor();
  await form.getByLabel('First name').fill('Linus');
  await form.getByText('Unsaved changes').waitFor();
  await workbench.picture('form');
  await form.getByRole('button', { name: 'Save' }).click();
  await workbench.dialogText.filter({ hasText: 'First name: "Lin" → "Linus"' }).waitFor();
  await workbench.dialog('Save');
  await form.getByText('No changes').waitFor();
  const { Resources: users } = await answered(stage, listScimUsers, {});
  expect(users).toContainEqual(expect.objectContaining({ userName: analyst, displayName: 'Linus Pauling' }));
  await form.getByRole('button', { name: 'Edit as JSON' }).click();
  await expect.poll(async () => workbench.editorText()).toContain('"firstName": "Linus"');
}

/** All users as one table: searched, selected and activated at once. */
async function activateInTable(stage: Stage): Promise<void> {
  const { workbench } = stage;
  const users = workbench.row(view, 'Users');
  await workbench.rowAction(users, /Show List as Table/, workbench.tab('Users'));
  const table = await workbench.frameWith('main.list');
  const grid = table.getByRole('grid', { name: 'Users' });
  await grid.getByRole('gridcell', { name: analyst, exact: true }).first().waitFor();
  await table.getByRole('searchbox', { name: 'Value to filter by' }).fill('inactive');
  await table.getByText(/^2 of \d+ rows/).waitFor();
  await table.getByRole('checkbox', { name: 'Select all rows' }).click();
  await workbench.pictures('table');
  await table.getByRole('button', { name: 'Activate 2 Users' }).click();
  await workbench.message('2 users activated').waitFor();
  await table.getByText(/^0 of \d+ rows/).waitFor();
  const answer = await answered(stage, listScimUsers, {});
  expect(answer.Resources).not.toContainEqual(expect.objectContaining({ active: false }));
  await workbench.run('View: Close Editor');
}

async function choose({ workbench }: Stage, row: string, title: string, outcome: Locator): Promise<void> {
  await workbench.rowMenu(workbench.row(view, row), title, outcome);
}

async function deleteTyped(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await choose(stage, 'Warehouse', 'Delete…', workbench.quickInput);
  await workbench.answer('Type “Warehouse” to confirm', 'Warehouse');
  await workbench.message('1 OIDC token configuration deleted').waitFor();
  await workbench.row(view, 'No OIDC token configurations').waitFor();
  expect((await answered(stage, listOidcTokenConfigs, {})).data).toEqual([]);
}
