import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseFormToHost } from '#features/administration/messages.ts';
import { variableProblems, variablesSchema } from '#shell/env-vars.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import { EditedForm } from '#support/administration/edited-form.ts';
import { findings } from './axe.ts';
import { type BundledPage, bundledPage } from './bundled-page.ts';
import { connect, dress, ORIGIN, serve, type Watched } from './page.ts';
import { type Theme, themes } from './themes.ts';
import { picturesAtEveryWidth } from './widths.ts';

let bundle: BundledPage;
beforeAll(async () => {
  bundle = await bundledPage('form');
});
afterAll(async () => bundle.close());

const userSchema: JsonSchema = {
  type: 'object',
  properties: {
    email: { type: 'string', description: 'The user’s e-mail address, which they sign in with.' },
    firstName: { type: 'string', description: 'The user’s first name.' },
    role: { enum: ['viewer', 'developer', 'admin'] },
    isSupport: { type: 'boolean', description: 'Whether the user may open tickets.' },
    quota: { type: ['number', 'null'] },
    groups: { type: 'array', items: { type: 'string' }, description: 'Groups of the user.' },
    clientSecret: { type: 'string', description: 'It is sent, and never shown again.' },
    address: { type: 'object', properties: { city: { type: 'string' } } },
  },
  required: ['email'],
};
const user = {
  email: 'ada@shop.example',
  firstName: 'Ada',
  role: 'developer',
  isSupport: false,
  quota: null,
  groups: ['sales'],
  clientSecret: 'hunter2',
  address: { city: 'Bern' },
};
const shownVariables = [
  { name: 'CUBEJS_DB_HOST', value: 'db.shop.example' },
  { name: 'CUBEJS_DB_PASS', value: '********', isSecret: true },
  ...Array.from({ length: 6 }, (_, at) => ({ name: `REGION_${at}`, value: `eu-${at}` })),
];

type Viewport = { readonly width: number; readonly height: number };

/** The production page under the production policy, on the host's own side of a document in memory. */
async function show(
  of: 'user' | 'variables',
  theme = themes[0] as Theme,
  viewport: Viewport = { width: 900, height: 700 },
) {
  const page = await bundle.pages.open(viewport);
  const watched: Watched = { requests: [], problems: [] };
  const post = (state: unknown) =>
    void page.evaluate((data) => window.postMessage(data, '*'), state).catch(() => undefined);
  const form =
    of === 'user'
      ? new EditedForm(userSchema, user, { post })
      : new EditedForm(variablesSchema, { env_variables: shownVariables }, { post, title: 'Environment variables' });
  if (of === 'variables') form.problems = (edited) => variableProblems(edited, shownVariables);
  await serve(page, bundle.folder, 'form', watched);
  await connect(page, (raw) => {
    const message = parseFormToHost(raw);
    if (message) void form.session.receive(message);
  });
  await page.goto(`${ORIGIN}/`);
  await dress(page, theme);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const picture = async (name: string) => page.screenshot({ path: join(bundle.pictures, `${of}-${name}.png`) });
  return { page, form, watched, picture };
}

const said = (page: Page) => page.getByRole('status').first();

describe('the form page in a browser', () => {
  it.each(themes)('is read in the $name theme, and axe finds nothing', async (theme) => {
    for (const of of ['user', 'variables'] as const) {
      const { page, watched, picture } = await show(of, theme);
      await page.getByRole('button', { name: 'Save' }).waitFor();
      await picture(theme.name);
      await picturesAtEveryWidth(page, bundle.pictures, `${of}-${theme.name}`);
      expect(watched.problems).toEqual([]);
      await page.close();
    }
  });

  it('is filled in and saved with the keyboard alone', async () => {
    const { page, form, watched } = await show('user');
    await page.getByLabel('First name').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Grace');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect.poll(() => form.value).toMatchObject({ firstName: 'Grace', role: 'admin', isSupport: true });
    await expect.poll(() => said(page).textContent()).toBe('Unsaved changes');
    await page.keyboard.press('Control+S');
    await expect.poll(() => said(page).textContent()).toBe('No changes');
    expect(form.asked).toEqual(['save']);
    expect(watched.problems).toEqual([]);
    await page.close();
  });

  it('shows both values of what someone else changed, and keeps the one that is chosen', async () => {
    const { page, form, watched, picture } = await show('user');
    await page.getByLabel('First name').fill('Grace');
    await expect.poll(() => form.value).toMatchObject({ firstName: 'Grace' });
    form.contested.found(['firstName', 'role'], { ...user, firstName: 'Ada Mary', role: 'viewer' });
    void form.session.update();
    const conflicts = page.getByRole('alert', { name: 'Changed on the platform meanwhile' });
    await conflicts.getByText('"Ada Mary"').waitFor();
    await picture('conflict');
    expect(await findings(page)).toEqual([]);
    await conflicts.getByRole('group', { name: 'First name' }).getByRole('button', { name: 'Keep Mine' }).click();
    await conflicts.getByRole('group', { name: 'Role' }).getByRole('button', { name: 'Take Theirs' }).click();
    await conflicts.waitFor({ state: 'detached' });
    expect(form.value).toMatchObject({ firstName: 'Grace', role: 'viewer' });
    expect(form.adopted).toEqual([
      ['firstName', 'Ada Mary'],
      ['role', 'viewer'],
    ]);
    expect(watched.problems).toEqual([]);
    await page.close();
  });

  it('goes to the first wrong field instead of saving', async () => {
    const { page, form, picture } = await show('user');
    await page.getByLabel('Email (required)').fill('');
    await expect.poll(() => form.value).toMatchObject({ email: '' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Fill in this field.').waitFor();
    await expect.poll(() => said(page).textContent()).toBe('1 field to correct');
    await page.getByLabel('Email (required)').and(page.locator(':focus')).waitFor();
    await picture('wrong');
    expect(form.asked).toEqual([]);
    expect(await findings(page)).toEqual([]);
    await page.close();
  });

  it('shows what the document holds after a change from outside', async () => {
    const { page, form } = await show('user');
    await page.getByLabel('First name').fill('Grace');
    await expect.poll(() => form.value).toMatchObject({ firstName: 'Grace' });
    await page.getByLabel('City').focus();
    form.text = form.saved;
    await form.session.update();
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Ada');
    await page.close();
  });

  it('replaces a secret without ever having it', async () => {
    const { page, form } = await show('user');
    const secret = page.getByLabel('Client secret');
    await expect.poll(async () => secret.inputValue()).toBe('');
    expect(await page.content()).not.toContain('hunter2');
    await secret.fill('new');
    await expect.poll(() => form.value).toMatchObject({ clientSecret: 'new' });
    await secret.fill('');
    await expect.poll(() => form.value).toMatchObject({ clientSecret: 'hunter2' });
    await page.close();
  });

  it('searches, adds and removes variables, and adds lines of an .env file', async () => {
    const { page, form, picture } = await show('variables');
    await page.getByLabel('Search Variables').fill('region_3');
    await page.getByText('1 of 8 rows').waitFor();
    await page.getByRole('button', { name: 'Remove REGION_3' }).click();
    await expect.poll(() => JSON.stringify(form.value)).not.toContain('REGION_3');
    await page.getByRole('button', { name: 'Add Row' }).click();
    await page.getByLabel('Name, row 8').fill('CUBEJS_DB_HOST');
    await page.getByLabel('Value, row 8').focus();
    await page.getByText('“CUBEJS_DB_HOST” appears twice.').waitFor();
    await page.getByLabel('Name, row 8').fill('NEW_ONE');
    await page.getByLabel('Value, row 8').fill('1');
    await page.getByRole('button', { name: 'Paste .env Lines' }).click();
    await page.getByLabel(/^Lines such as/).fill('API_TOKEN=abc\nCUBEJS_DB_HOST=other');
    await picture('lines');
    await page.getByRole('button', { name: 'Add Variables' }).click();
    await expect
      .poll(() => form.value)
      .toMatchObject({
        env_variables: [
          { name: 'CUBEJS_DB_HOST', value: 'other' },
          { name: 'CUBEJS_DB_PASS', value: '********' },
          ...[0, 1, 2, 4, 5].map((at) => ({ name: `REGION_${at}` })),
          { name: 'NEW_ONE', value: '1' },
          { name: 'API_TOKEN', value: 'abc', isSecret: true },
        ],
      });
    await page.close();
  });
});
