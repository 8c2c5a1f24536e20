import { expect } from 'vitest';
import { listEmbedTenantGroupUsers } from '#api/resources/embed.ts';
import type { Operation } from '#api/operation.ts';
import { listUserAttributes, listUserAttributeValues } from '#api/resources/user-attributes.ts';
import { toRequest } from '#support/platform.ts';
import type { Stage } from './journey.ts';

const view = 'Administration';
const analyst = 'linus@shop.example';

/** Makes an attribute, gives a user a value of it, makes a group of an embed tenant and adds a member. */
export async function createObjects(stage: Stage): Promise<void> {
  await createAttribute(stage);
  await giveValue(stage);
  await createGroup(stage);
  await startConnecting(stage);
}

async function createAttribute(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.run('Modelbench Admin: Create User, Attribute or Integration');
  await workbench.pick('User Attribute');
  await workbench.tab(/new user attribute/i).waitFor();
  await writeDocument(stage, { name: 'quota', type: 'money' });
  await workbench.sendUntil(workbench.notification(/type: must be one of/));
  await (await workbench.problem(/type: must be one of/)).waitFor();
  await workbench.closePanel();
  await workbench.clearNotifications();
  await writeDocument(stage, { name: 'quota', type: 'number' });
  await workbench.sendUntil(workbench.dialogText);
  await workbench.dialog('Create');
  await workbench.message('Saved user attribute “quota”').waitFor();
  const { data } = await answered(stage, listUserAttributes, {});
  expect(data).toContainEqual(expect.objectContaining({ name: 'quota', type: 'number' }));
}

async function giveValue(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.rowMenu(workbench.row(view, analyst), 'Edit Attribute Values', workbench.tab(/attribute values/));
  await writeDocument(stage, { quota: 'much' });
  await workbench.sendUntil(workbench.notification(/quota: must be a number/));
  await (await workbench.problem(/quota: must be a number/)).waitFor();
  await workbench.picture('value refused');
  await workbench.closePanel();
  await workbench.clearNotifications();
  await writeDocument(stage, { quota: 7 });
  await workbench.sendUntil(workbench.dialogText.filter({ hasText: '+ quota: 7' }));
  await workbench.dialog('Save');
  await workbench.message('Saved attribute values').waitFor();
  const { data } = await answered(stage, listUserAttributeValues, { params: { userId: '3' } });
  expect(data).toContainEqual(expect.objectContaining({ value: 7 }));
}

async function createGroup(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.run('Modelbench Admin: Create User, Attribute or Integration');
  await workbench.pick('Embed Group');
  await workbench.pick('wholesale');
  await workbench.tab(/new embed group/i).waitFor();
  await writeDocument(stage, { name: 'partners' });
  await workbench.sendUntil(workbench.dialogText);
  await workbench.dialog('Create');
  await workbench.message('Saved embed group “partners”').waitFor();
  const groups = workbench.view(view).locator('.monaco-list-row[aria-level="3"]').filter({ hasText: 'Groups' });
  await workbench.expand(workbench.row(view, 'wholesale'), groups);
  const partners = workbench.row(view, 'partners');
  await workbench.expand(groups, partners);
  const addMembers = async (): Promise<void> => workbench.rowMenu(partners, 'Add Members…', workbench.option(/otto/));
  await addMembers();
  await workbench.tick(/otto/, addMembers);
  await workbench.confirmTicked();
  await workbench.message('1 member added to “partners”').waitFor();
  await workbench.picture('group');
  const added = stage.platform.control.requestLog.findLast(
    ({ method, path }) => method === 'POST' && path.includes('/wholesale/'),
  );
  const id = /groups\/(\d+)\/users/.exec(added?.path ?? '')?.[1];
  const { data } = await answered(stage, listEmbedTenantGroupUsers, { params: { embedTenantName: 'wholesale', id } });
  expect(data).toEqual([expect.objectContaining({ externalId: 'otto' })]);
}

async function startConnecting(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.run('Modelbench Admin: Connect with OAuth Integration');
  await workbench.pick(/./);
  await workbench.dialogText.filter({ hasText: /Open a page on accounts\.example\?/ }).waitFor();
  await workbench.picture('foreign-page');
  await workbench.dialog('Open');
  // VS Code asks as well.
  await workbench.dialogText.filter({ hasText: /open the external website/ }).waitFor();
  await workbench.dialog('Cancel');
  await workbench.dialogText.waitFor({ state: 'hidden' });
}

/** Replaces the text of the active document. */
export async function writeDocument({ workbench }: Stage, document: object): Promise<void> {
  const { page } = workbench;
  await workbench.focusEditor();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(JSON.stringify(document));
  // Quotes and braces that the editor closed automatically.
  await page.keyboard.press('Control+Shift+End');
  await page.keyboard.press('Delete');
}

/** What the platform itself answers, in its own words. */
export async function answered(
  { platform }: Stage,
  operation: Operation,
  request: object,
): Promise<{ readonly Resources?: readonly unknown[]; readonly data?: readonly unknown[] }> {
  const response = await platform.fetch(toRequest(platform, operation, request));
  return (await response.json()) as { readonly Resources?: readonly unknown[]; readonly data?: readonly unknown[] };
}
