import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergedFields } from '#features/administration/changes.ts';
import { ContestedFields } from '#features/administration/contested-fields.ts';
import { fieldLabel } from '#features/administration/field-label.ts';
import { type FieldPath, type FormField, parseFormToHost, parseHostToForm } from '#features/administration/messages.ts';
import { variableProblems, variablesSchema } from '#shell/env-vars.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import { EditedForm } from '#support/administration/edited-form.ts';
import { json } from '#support/language/raw.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    name: { anyOf: [{ const: '' }, { type: 'string' }], description: 'The name that users see.' },
    type: { enum: ['string', 'number'] },
    isDefault: { type: ['boolean', 'null'] },
    enabled: { type: 'boolean' },
    limit: { anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'At most.' },
    groups: { type: 'array', items: { type: 'string' } },
    recipients: { type: 'array', items: { $ref: '#/$defs/recipient' } },
    clientSecret: { type: 'string' },
    defaultValue: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] },
    address: { type: 'object', properties: { city: { type: 'string' } } },
  },
  required: ['name'],
  $defs: { recipient: { type: 'object', properties: { email: { type: 'string', description: 'Whom to.' } } } },
};
const document = {
  $schema: 'modelbench-admin:/schema.json',
  name: 'Weekly',
  type: 'string',
  enabled: true,
  limit: 5,
  groups: ['sales', 'ops'],
  recipients: [{ email: 'ada@shop.example' }],
  clientSecret: 'hunter2',
  defaultValue: null,
  other: 'x',
};

let number = 0;
const set = (path: FieldPath, value: string | number | boolean) =>
  ({ type: 'set', number: (number += 1), path, value }) as const;

async function opened(value: unknown = document, of: JsonSchema = schema): Promise<EditedForm> {
  const form = new EditedForm(of, value);
  await form.session.receive({ type: 'ready' });
  return form;
}

/** A field as one line. */
function line({ label, help, isRequired, problem, control }: FormField): string {
  const shown =
    control.is === 'table'
      ? control.rows.map((cells) => cells.map((cell) => line(cell)).join(' | ')).join(' / ')
      : control.is === 'group'
        ? control.fields.map((field) => line(field)).join(' | ')
        : control.is === 'choice'
          ? `${control.choices[control.chosen] ?? '—'} of ${control.choices.join(', ')}`
          : JSON.stringify(Object.values(control)[1]);
  return [label, isRequired ? '*' : '', control.is, shown, help, problem].filter((each) => each !== '').join(' ');
}

describe('a form', () => {
  it('lists the fields of the schema, then those that only the document has', async () => {
    const { state } = await opened();
    expect(state.fields.map((field) => line(field))).toEqual([
      'Name * text "Weekly" The name that users see.',
      'Type choice string of string, number',
      'Default choice Not set of Not set, Yes, No',
      'Enabled check true',
      'Limit number "5" At most.',
      'Groups lines "sales\\nops"',
      'Recipients table Email text "ada@shop.example" Whom to.',
      'Client secret secret true',
      'Default value text ""',
      'Address group City text ""',
      'Other text "x"',
    ]);
  });

  it('is edited again where its text is changed elsewhere at that moment', async () => {
    const form = await opened();
    form.typedElsewhere = (text) => text.replace('"Weekly"', '"Every week, at noon"');
    await form.session.receive(set(['limit'], '7'));
    expect(form.value).toEqual({ ...document, name: 'Every week, at noon', limit: 7 });
    form.contested.found(['name'], { name: 'Daily' });
    form.typedElsewhere = (text) => text.replace('7', '70');
    await form.session.receive({ type: 'decide', field: 'name', keep: 'theirs' });
    expect(form.value).toEqual({ ...document, name: 'Daily', limit: 70 });
  });

  it('says so where VS Code applies no edit, and keeps the text', async () => {
    const form = await opened();
    form.typedElsewhere = (text) => text;
    await expect(form.session.receive(set(['limit'], '7'))).rejects.toThrow(/did not apply the change/);
    expect(form.value).toEqual(document);
  });

  it('never sends a secret to its page', async () => {
    const variables = { env_variables: [{ name: 'DB', value: 'hunter2', isSecret: true }], apiToken: 'hunter2' };
    for (const value of [document, variables]) {
      const { states } = await opened(value, value === document ? schema : variablesSchema);
      expect(JSON.stringify(states)).not.toContain('hunter2');
    }
  });

  it('writes only what was changed, and leaves comments as they are', async () => {
    const form = await opened(json`
      {
        // Ours.
        "name": "Weekly",
        "limit": 5
      }
    `);
    await form.session.receive(set(['limit'], '7'));
    expect(form.text).toBe(json`
      {
        // Ours.
        "name": "Weekly",
        "limit": 7
      }
    `);
    expect(form.state).toMatchObject({ isDirty: true, applied: number });
  });

  it.each<[FieldPath, string | number | boolean, unknown]>([
    [['name'], 'Daily', 'Daily'],
    [['name'], '', ''],
    [['type'], 1, 'number'],
    [['isDefault'], 1, true],
    [['isDefault'], 0, null],
    [['enabled'], false, false],
    [['limit'], '7', 7],
    [['limit'], '', null],
    [['limit'], 'many', 'many'],
    [['groups'], 'sales\nops\n\nlegal', ['sales', 'ops', 'legal']],
    [['clientSecret'], 'new', 'new'],
    [['clientSecret'], '', 'hunter2'],
    [['defaultValue'], '5', '5'],
    [['address', 'city'], 'Bern', 'Bern'],
    [['recipients', 0, 'email'], 'bob@shop.example', 'bob@shop.example'],
  ])('sets %j as %j to %j', async (path, typed, expected) => {
    const form = await opened();
    await form.session.receive(set(path, typed));
    const now = path.reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], form.value);
    expect(now).toEqual(expected);
  });

  it('takes a default value for what the type beside it says', async () => {
    const form = await opened({ ...document, type: 'number' });
    await form.session.receive(set(['defaultValue'], '5'));
    expect(form.value).toMatchObject({ defaultValue: 5 });
  });

  it('keeps the former secret when what was typed in its place is taken back', async () => {
    const form = await opened();
    await form.session.receive(set(['clientSecret'], 'x'));
    await form.session.receive(set(['clientSecret'], ''));
    expect(form.text).toBe(form.saved);
  });

  it('keeps the former secret of each entry when another one is added, pasted or removed meanwhile', async () => {
    const variables = ['FIRST', 'SECOND', 'THIRD'].map((name) => ({ name, value: `${name} hush`, isSecret: true }));
    const form = await opened({ env_variables: variables }, variablesSchema);
    const list = ['env_variables'];
    await form.session.receive(set([...list, 2, 'value'], 'typed over'));
    await form.session.receive({ type: 'add', number: (number += 1), path: list });
    await form.session.receive({ type: 'addLines', number: (number += 1), path: list, lines: 'OTHER=1' });
    await form.session.receive({ type: 'remove', number: (number += 1), path: [...list, 0] });
    await form.session.receive(set([...list, 1, 'value'], ''));
    const { env_variables } = form.value as { readonly env_variables: readonly unknown[] };
    expect(env_variables.slice(0, 2)).toEqual(variables.slice(1));
  });

  it('offers as lines only what stays the same in lines', async () => {
    const controls = async (lists: Readonly<Record<string, unknown>>) =>
      (await opened(lists, {})).state.fields.map(({ label, control }) => `${label} ${control.is}`);
    expect(
      await controls({
        plain: ['a', 'b c', '"quoted"', 'ünï 🙂'],
        none: [],
        numbers: [1, 2.5],
        broken: ['a\nb', 'c'],
        empty: ['a', ''],
        mixed: [1, 'a', '2'],
        nested: [['a']],
      }),
    ).toEqual(['Plain lines', 'None lines', 'Numbers lines', 'Broken json', 'Empty json', 'Mixed json', 'Nested json']);
  });

  it('writes any list back as it was where a line is added to it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), async (list) => {
        const form = await opened({ list }, { properties: { list: { type: 'array', items: { type: 'string' } } } });
        const [{ control } = {}] = form.state.fields;
        if (control?.is !== 'lines') return;
        await form.session.receive(set(['list'], [control.value, 'more'].filter((each) => each !== '').join('\n')));
        expect(form.value).toEqual({ list: [...list, 'more'] });
      }),
      { numRuns: 50 },
    );
  });

  it('never sends a secret inside of a list or an object to its page', async () => {
    const form = await opened(
      {
        tokens: ['x'],
        apiTokenSecrets: ['hush'],
        deep: { a: { b: { c: { d: { password: 'hush', size: 1 } } } } },
        rows: [[{ client_secret: 'hush' }]],
      },
      {},
    );
    expect(JSON.stringify(form.states)).not.toContain('hush');
    expect(form.state.fields.map(({ control }) => control.is)).toContain('secret');
    await form.session.receive(set(['apiTokenSecrets'], 'new'));
    expect(form.value).toMatchObject({ apiTokenSecrets: ['new'] });
  });

  it.each(['1e400', '-1e999', '12345678901234567890', '1,5', '٣', ' '])(
    'leaves “%s” as typed, which no number of JSON is',
    async (typed) => {
      const form = await opened(document, { properties: { limit: { type: 'integer' } } });
      await form.session.receive(set(['limit'], typed));
      expect(form.value).toMatchObject({ limit: typed });
    },
  );

  it('adds and removes entries', async () => {
    const form = await opened();
    await form.session.receive({ type: 'add', number: 1, path: ['recipients'] });
    expect(form.value).toMatchObject({ recipients: [{ email: 'ada@shop.example' }, { email: '' }] });
    await form.session.receive({ type: 'remove', number: 2, path: ['recipients', 0] });
    expect(form.value).toMatchObject({ recipients: [{ email: '' }] });
  });

  it('adds an entry with what it needs, and leaves out an optional text that is emptied', async () => {
    const text = { type: 'string', minLength: 1 };
    const item = { type: 'object', properties: { email: text, userId: text }, required: ['email'] };
    const of = { type: 'object', properties: { name: text, recipients: { type: 'array', items: item } } };
    const form = await opened({ name: 'x' }, of);
    await form.session.receive({ type: 'add', number: 1, path: ['recipients'] });
    await form.session.receive(set(['recipients', 0, 'userId'], '7'));
    expect(form.value).toEqual({ name: 'x', recipients: [{ email: '', userId: '7' }] });
    await form.session.receive(set(['recipients', 0, 'userId'], ''));
    await form.session.receive(set(['name'], ''));
    expect(form.value).toEqual({ recipients: [{ email: '' }] });
  });

  it('says what must be filled in, what the rules say and what the platform refused, each at its field', async () => {
    const form = await opened({ ...document, name: '' });
    form.problems = () => [{ path: ['type'], message: 'No such type.', severity: 'error' }];
    form.refused = [
      { path: ['limit'], message: 'Too many.', severity: 'error' },
      { path: [], message: 'Try later.', severity: 'error' },
    ];
    await form.session.refuse();
    const said = () =>
      form.state.fields.flatMap(({ label, problem }) => (problem === '' ? [] : [`${label}: ${problem}`]));
    expect(said()).toEqual(['Name: Fill in this field.', 'Type: No such type.', 'Limit: Too many.']);
    expect(form.state.problem).toBe('Try later.');
    await form.session.receive(set(['limit'], '3'));
    expect(said()).toEqual(['Name: Fill in this field.', 'Type: No such type.']);
  });

  it('leads to the JSON while the text is not an object', async () => {
    const form = await opened('{ "name": ');
    expect(form.state.fields).toEqual([]);
    expect(form.state.problem).toMatch(/Edit it as JSON/);
    await form.session.receive({ type: 'showJson' });
    expect(form.asked).toEqual(['json']);
  });

  it('answers every edit, in the order in which they were made', async () => {
    const form = await opened();
    const texts = ['D', 'Da', 'Dai', 'Daily'];
    const first = number + 1;
    await Promise.all(texts.map(async (text) => form.session.receive(set(['name'], text))));
    expect(form.value).toMatchObject({ name: 'Daily' });
    expect(form.states.slice(-4).map(({ applied }) => applied)).toEqual([first, first + 1, first + 2, first + 3]);
  });

  it('takes any document without failing, and sends what its page understands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.object({ maxDepth: 3 }), async (text, of) => {
        const form = await opened(text, of);
        expect(parseHostToForm(structuredClone(form.state))).toEqual(form.state);
      }),
    );
  });
});

describe('the form of environment variables', () => {
  const shown = [
    { name: 'REGION', value: 'eu' },
    { name: 'DB_PASS', value: '********', isSecret: true },
  ];

  async function variables(): Promise<EditedForm> {
    const form = new EditedForm(variablesSchema, { env_variables: shown });
    form.problems = (edited) => variableProblems(edited, shown);
    await form.session.receive({ type: 'ready' });
    return form;
  }

  it('is a table with the masked values hidden', async () => {
    const { state } = await variables();
    const [table] = state.fields;
    expect(table?.control).toMatchObject({ is: 'table', columns: ['Name', 'Value', 'Secret'], takesLines: true });
    expect(JSON.stringify(state)).not.toContain('***');
  });

  it('adds the lines of an .env file: new names, new values of known ones, secrets by their name', async () => {
    const form = await variables();
    const lines = '# ours\nexport REGION=us\nDB_PASS="a b"\nAPI_TOKEN=\'x\'\nPLAIN=1\n';
    await form.session.receive({ type: 'addLines', number: 1, path: ['env_variables'], lines });
    expect(form.value).toEqual({
      env_variables: [
        { name: 'REGION', value: 'us' },
        { name: 'DB_PASS', value: 'a b', isSecret: true },
        { name: 'API_TOKEN', value: 'x', isSecret: true },
        { name: 'PLAIN', value: '1', isSecret: false },
      ],
    });
    expect(form.state.problem).toBe('');
  });

  it('leaves a masked value as it is when others are changed', async () => {
    const form = await variables();
    await form.session.receive(set(['env_variables', 0, 'value'], 'us'));
    expect(form.value).toEqual({ env_variables: [{ name: 'REGION', value: 'us' }, shown[1]] });
  });

  it('says at its cell that a name is used twice', async () => {
    const form = await variables();
    await form.session.receive({ type: 'add', number: 1, path: ['env_variables'] });
    await form.session.receive(set(['env_variables', 2, 'name'], 'REGION'));
    const [table] = form.state.fields;
    const cells = table?.control.is === 'table' ? table.control.rows.flat() : [];
    expect(cells.flatMap(({ problem }) => (problem === '' ? [] : [problem]))).toEqual(['“REGION” appears twice.']);
  });
});

describe('the label of a field', () => {
  it.each([
    ['firstName', 'First name'],
    ['isSecret', 'Secret'],
    ['tokenUrl', 'Token URL'],
    ['aiBiInterface', 'AI BI interface'],
    ['env_variables', 'Env variables'],
    ['oidc', 'OIDC'],
    ['dashboardPublicId', 'Dashboard public ID'],
  ])('makes %s “%s”', (name, label) => {
    expect(fieldLabel(name)).toBe(label);
  });
});

describe('a message of a form', () => {
  it('is refused when it is none', () => {
    expect(parseFormToHost({ type: 'set', number: -1, path: ['x'], value: 'y' })).toBeUndefined();
    expect(parseFormToHost({ type: 'set', number: 1, path: ['x', 0], value: 'y' })).toBeDefined();
  });
});

describe('fields that someone else changed meanwhile', () => {
  const theirs = { ...document, name: 'Monthly', clientSecret: 'theirs' };

  it('are shown with both values, without secrets, until the user has decided about each', async () => {
    const form = await opened();
    await form.session.receive(set(['name'], 'Daily'));
    form.contested.found(['name', 'clientSecret'], theirs);
    await form.session.update();
    expect(form.state.conflicts).toEqual([
      { field: 'name', label: 'Name', mine: '"Daily"', theirs: '"Monthly"' },
      { field: 'clientSecret', label: 'Client secret', mine: '•••', theirs: '•••' },
    ]);
    await form.session.receive({ type: 'decide', field: 'name', keep: 'mine' });
    expect(form.value).toMatchObject({ name: 'Daily' });
    await form.session.receive({ type: 'decide', field: 'clientSecret', keep: 'theirs' });
    expect(form.value).toMatchObject({ name: 'Daily', clientSecret: 'theirs' });
    expect(form.state.conflicts).toEqual([]);
    expect(form.adopted).toEqual([
      ['name', 'Monthly'],
      ['clientSecret', 'theirs'],
    ]);
  });

  it('are taken out of the document where the platform has none any more', async () => {
    const form = await opened();
    form.contested.found(['limit'], { name: 'Weekly' });
    await form.session.update();
    expect(form.state.conflicts).toEqual([{ field: 'limit', label: 'Limit', mine: '5', theirs: 'Not set' }]);
    await form.session.receive({ type: 'decide', field: 'limit', keep: 'theirs' });
    expect(form.value).not.toHaveProperty('limit');
  });

  it('are contested no more after the decision, whichever it is', () => {
    let base: Record<string, unknown> = { name: 'a', note: 'n' };
    const [mine, now] = [
      { name: 'b', note: 'm' },
      { name: 'c', note: 'o' },
    ];
    const contested = new ContestedFields((field, value) => {
      base = { ...base, [field]: value };
    });
    contested.found(mergedFields(base, mine, now).contested, now);
    contested.decide('name');
    contested.decide('note');
    contested.decide('other');
    const edited = { ...mine, note: now.note };
    expect(mergedFields(base, edited, now)).toEqual({ fields: { name: 'b', note: 'o' }, contested: [] });
  });

  it('are for the form to ask about only while one is open', () => {
    const contested = new ContestedFields(() => undefined);
    const [one, other] = [contested.show(), contested.show()];
    one.dispose();
    expect(contested.isShown).toBe(true);
    other.dispose();
    expect(contested.isShown).toBe(false);
  });
});
