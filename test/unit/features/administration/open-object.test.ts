import { beforeEach, describe, expect, it } from 'vitest';
import { updateUserAttribute } from '#api/resources/user-attributes.ts';
import type { AdminDocument } from '#features/administration/document.ts';
import { newDocument, objectDocument } from '#features/administration/object-documents.ts';
import { OpenObject, type SaveQuestion } from '#features/administration/open-object.ts';
import type { Fields } from '#features/administration/rows.ts';
import { type Desk, openDesk } from '#support/features.ts';

let desk: Desk;
let questions: SaveQuestion[];
let answer: boolean;
let sent: number;
/** What a colleague does while each question is open. */
let meanwhile: (() => Promise<unknown>)[];
beforeEach(async () => {
  meanwhile = [];
  desk = await openDesk();
  questions = [];
  answer = true;
  sent = 0;
});

/** A user attribute of the platform, which others can change as well. */
async function attribute(): Promise<{ readonly document: AdminDocument; readonly id: string }> {
  let id = '';
  const onCreated = (row: { readonly id: string }): Promise<void> => Promise.resolve(void (id = row.id));
  const draft = newDocument(desk.client, 'attribute', 1, { onCreated });
  await draft.edit?.send({ name: 'area', type: 'string', displayName: 'Area' }, {});
  const row = { type: 'attribute', id, name: 'area', detail: '', fields: {} } as const;
  return { document: objectDocument(desk.client, 'attribute', row), id };
}

const opened = (document: AdminDocument): OpenObject =>
  new OpenObject(document, {
    owner: 'ada@shop.example',
    description: () => Promise.resolve(undefined),
    ask: async (question) => {
      questions.push(question);
      await meanwhile.shift()?.();
      return answer;
    },
  });

const onSent = (): Promise<void> => Promise.resolve(void (sent += 1));
const change = (id: string, displayName: string): Promise<unknown> =>
  desk.client.call(updateUserAttribute, { params: { id }, body: { displayName } });

describe('saving an open object', () => {
  it('asks with each changed field and sends it', async () => {
    const { document } = await attribute();
    const object = opened(document);
    const before = await object.read();
    const saved = await object.save({ $schema: 'x', ...before, displayName: 'Region' }, onSent);
    expect(saved).toMatchObject({ kind: 'saved', isSent: true, shown: { displayName: 'Region' } });
    expect(questions).toMatchObject([
      { button: 'Save', detail: expect.stringContaining('"Area" → "Region"') as unknown },
    ]);
    expect(sent).toBe(1);
  });

  it('neither asks nor sends where nothing differs', async () => {
    const object = opened((await attribute()).document);
    const saved = await object.save(await object.read(), onSent);
    expect(saved).toMatchObject({ kind: 'saved', isSent: false });
    expect([questions, sent]).toEqual([[], 0]);
  });

  it('keeps what a colleague changed in another field', async () => {
    const { document, id } = await attribute();
    const object = opened(document);
    const before = await object.read();
    await change(id, 'Territory');
    const saved = await object.save({ ...before, name: 'zone' }, onSent);
    expect(saved).toMatchObject({ kind: 'saved', shown: { name: 'zone', displayName: 'Territory' } });
    expect(questions).toMatchObject([{ button: 'Save' }]);
  });

  it('keeps what a colleague changes in another field while the question is open', async () => {
    const { document, id } = await attribute();
    const object = opened(document);
    const before = await object.read();
    meanwhile = [() => change(id, 'Territory')];
    const saved = await object.save({ ...before, name: 'zone' }, onSent);
    expect(saved).toMatchObject({ kind: 'saved', shown: { name: 'zone', displayName: 'Territory' } });
    expect([questions.length, sent]).toEqual([1, 1]);
  });

  it('asks again, as often as needed, where a colleague changes the same field while the question is open', async () => {
    const { document, id } = await attribute();
    const object = opened(document);
    const before = await object.read();
    meanwhile = [() => change(id, 'Territory'), () => change(id, 'District')];
    const saved = await object.save({ ...before, displayName: 'Region' }, onSent);
    expect(saved).toMatchObject({ kind: 'saved', shown: { displayName: 'Region' } });
    expect(questions.map(({ button, now }) => [button, now?.['displayName']])).toEqual([
      ['Save', 'Area'],
      ['Replace', 'Territory'],
      ['Replace', 'District'],
    ]);
    expect(sent).toBe(1);
  });

  it('sends nothing where the form has to show what a colleague changed while the question was open', async () => {
    const { document, id } = await attribute();
    const object = opened(document);
    const before = await object.read();
    const form = object.contested.show();
    meanwhile = [() => change(id, 'Territory')];
    await expect(object.save({ ...before, displayName: 'Region' }, onSent)).rejects.toThrow(/Choose in the form/);
    expect(object.contested.list.value).toEqual([{ field: 'displayName', theirs: 'Territory' }]);
    expect(sent).toBe(0);
    form.dispose();
  });

  it('asks whether to replace a field that a colleague changed too', async () => {
    const { document, id } = await attribute();
    const object = opened(document);
    const before = await object.read();
    await change(id, 'Territory');
    answer = false;
    await expect(object.save({ ...before, displayName: 'Region' }, onSent)).rejects.toThrow(/nothing was sent/);
    expect(questions).toMatchObject([{ button: 'Replace', now: { displayName: 'Territory' } }]);
    expect(sent).toBe(0);
  });

  it('leaves contested fields to a form that shows them', async () => {
    const { document, id } = await attribute();
    const object = opened(document);
    const before = await object.read();
    await change(id, 'Territory');
    object.contested.show();
    const mine = { ...before, displayName: 'Region' };
    await expect(object.save(mine, onSent)).rejects.toThrow(/Choose in the form/);
    expect(object.contested.list.value).toEqual([{ field: 'displayName', theirs: 'Territory' }]);
    object.contested.decide('displayName');
    expect(await object.save(mine, onSent)).toMatchObject({ kind: 'saved', isSent: true });
  });

  it.each<readonly [string, unknown, string]>([
    ['a field that breaks a rule', { type: 'date' }, 'type'],
    ['a text that is not an object', [], ''],
  ])('names the field of a refusal: %s', async (_name, edited, field) => {
    const object = opened((await attribute()).document);
    const before = await object.read();
    const given = Array.isArray(edited) ? edited : { ...before, ...(edited as Fields) };
    expect(await object.save(given, onSent)).toMatchObject({ kind: 'refused', problem: { field } });
    expect([questions, sent]).toEqual([[], 0]);
  });

  it('blames the only changed field for what the platform refuses, and refreshes lists', async () => {
    const { document } = await attribute();
    const refusing: AdminDocument = {
      ...document,
      edit: document.edit && { ...document.edit, send: () => Promise.reject(new Error('That name is taken.')) },
    };
    const object = opened(refusing);
    const saved = await object.save({ ...(await object.read()), name: 'city' }, onSent);
    expect(saved).toMatchObject({ kind: 'refused', problem: { field: 'name', message: 'That name is taken.' } });
    expect(sent).toBe(1);
  });

  it('refuses an object that is only shown', async () => {
    const { document } = await attribute();
    const object = opened({ ...document, edit: undefined });
    await expect(object.save(await object.read(), onSent)).rejects.toThrow(/no operation that changes/);
  });

  it('creates a new object once, and changes it from then on', async () => {
    const object = opened(newDocument(desk.client, 'attribute', 1, { onCreated: () => Promise.resolve() }));
    const template = await object.read();
    await object.save({ ...template, name: 'team', type: 'string' }, onSent);
    await object.save({ ...(await object.read()), displayName: 'Team' }, onSent);
    expect(questions.map(({ button }) => button)).toEqual(['Create', 'Save']);
  });
});
