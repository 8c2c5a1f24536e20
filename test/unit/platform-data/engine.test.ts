import { afterAll, describe, expect, it } from 'vitest';
import { createEngine, type ModelFile } from '#platform/engine/index.ts';
import { sampleModel } from '#support/mounted-apis.ts';
import { indented, jinja, yaml } from '#support/language/raw.ts';

const engine = createEngine();
afterAll(() => engine.close());

const users = yaml`
  cubes:
    - name: users
      sql_table: users
      dimensions:
        - { name: id, sql: id, type: number, primary_key: true }
        - { name: city, sql: city, type: string }
      measures:
        - { name: count, type: count }
`;

function orders(extra: string): readonly ModelFile[] {
  const text = `cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
${extra}`;
  return [
    { fileName: 'model/cubes/orders.yml', content: text },
    { fileName: 'model/cubes/users.yml', content: users },
  ];
}

describe("the engine's verdicts, in its own words", () => {
  const cases = [
    {
      name: 'a duplicate dimension names its file',
      files: orders('      - { name: status, sql: x, type: string }\n'),
      errors: [
        {
          message: "Member names must be unique within a cube. Found duplicate dimension 'status' in cube 'orders'.",
          fileName: 'model/cubes/orders.yml',
        },
      ],
    },
    {
      name: 'a measure without sql',
      files: orders(
        indented(
          4,
          yaml`
            measures:
              - { name: x, type: sum }
          `,
        ),
      ),
      errors: [{ message: 'orders cube: (measures.x.sql) is required' }],
    },
    {
      name: 'a reference to nothing',
      files: orders(
        indented(
          4,
          yaml`
            measures:
              - { name: x, type: sum, sql: "{nope}" }
          `,
        ),
      ),
      errors: [{ message: 'nope is not defined' }],
    },
    {
      name: 'a join to an unknown cube',
      files: orders(
        indented(
          4,
          yaml`
            joins:
              - { name: nousers, relationship: many_to_one, sql: "{CUBE}.user_id = 1" }
          `,
        ),
      ),
      errors: [{ message: "orders cube: Cube nousers doesn't exist" }],
    },
    {
      name: 'an unknown key at the top',
      files: [{ fileName: 'model/cubes/orders.yml', content: 'foo: 1\n' }],
      errors: [
        {
          message: "Unexpected YAML key: foo. Only 'cubes', 'views', and 'view_groups' are allowed here.",
          fileName: 'model/cubes/orders.yml',
        },
      ],
    },
    {
      name: 'YAML that cannot be read',
      files: [
        {
          fileName: 'model/cubes/orders.yml',
          content: yaml`
            cubes:
              - name: a
               sql: x
          `,
        },
      ],
      errors: [{ message: expect.stringContaining('bad indentation of a sequence entry (3:4)') as string }],
    },
    {
      name: 'Jinja that cannot be rendered',
      files: [
        {
          fileName: 'model/cubes/orders.yml',
          content: jinja`
            cubes: []
            # {{ nofn() }}
          `,
        },
      ],
      errors: [
        { message: expect.stringContaining('unknown function: nofn is unknown (in cubes/orders.yml:2)') as string },
      ],
    },
  ];

  for (const { name, files, errors } of cases) {
    it(name, async () => {
      const result = await engine.compile(files);
      expect(result).toMatchObject({ ok: false, errors });
      expect(result.ok ? '' : result.errorText).toContain((await again(files)).errorText);
    });
  }

  /** The second compile of the same text goes through the caches; it must find the same errors. */
  async function again(files: readonly ModelFile[]): Promise<{ readonly errorText: string }> {
    const result = await engine.compile([...files, { fileName: 'model/cubes/empty.yml', content: '' }]);
    expect(result.ok).toBe(false);
    return { errorText: result.ok ? 'nothing' : result.errorText };
  }

  it('keeps an error with the file it is in', async () => {
    const js =
      'cube(`x`, { sql: `select 1`, measures: { count: { type: `count` }, count: { sql: `a`, type: `sum` } } });';
    const result = await engine.compile([
      { fileName: 'model/cubes/x.js', content: js },
      { fileName: 'model/cubes/users.yml', content: users },
    ]);
    const errors = result.ok ? [] : result.errors;
    expect(errors.map((error) => error.fileName)).toEqual(['model/cubes/x.js']);
    expect(errors[0]?.message).toContain('Duplicate property parsing count');
    // The next model does not inherit it.
    expect(await engine.compile([{ fileName: 'model/cubes/users.yml', content: users }])).toMatchObject({ ok: true });
  });
});

describe('a model that compiles', () => {
  it('gives metadata of cubes and views from YAML, Jinja and JavaScript', async () => {
    const result = await engine.compile(sampleModel());
    if (!result.ok) throw new Error(result.errorText);
    expect([result.cubes, result.views]).toEqual([8, 3]);
    const stores = result.meta.find((cube) => cube.name === 'stores');
    expect(stores?.segments.map((segment) => segment.name)).toContain('stores.north');
    const returns = result.meta.find((cube) => cube.name === 'returns');
    expect(returns?.measures.map((measure) => measure.name)).toContain('returns.wrong_size');
    const sales = result.meta.find((cube) => cube.name === 'sales');
    expect(sales).toMatchObject({ type: 'view', title: 'Sales' });
    expect(sales?.folders.map((folder) => folder.name)).toContain('Money');
  });

  it('takes paths with or without a leading slash or a model folder', async () => {
    for (const fileName of ['/model/cubes/users.yml', 'model/cubes/users.yml', 'cubes/users.yml']) {
      expect(await engine.compile([{ fileName, content: users }])).toMatchObject({ ok: true, cubes: 1 });
    }
  });

  it('compiles for a security context where the model uses it', async () => {
    const content = users.replace('- { name: city,', '- { name: city, public: COMPILE_CONTEXT.security_context.admin,');
    const files = [{ fileName: 'model/cubes/users.yml', content }];
    const cityFor = async (admin: boolean): Promise<boolean | undefined> => {
      const result = await engine.compile(files, { admin });
      return result.ok ? result.meta[0]?.dimensions.find(({ name }) => name === 'users.city')?.public : undefined;
    };
    expect([await cityFor(true), await cityFor(false)]).toEqual([true, false]);
  });

  it('generates SQL with parameters and names its columns', async () => {
    const result = await engine.sql(sampleModel(), {
      measures: ['sales.revenue'],
      dimensions: ['sales.category'],
      timeDimensions: [{ dimension: 'sales.created_at', granularity: 'month' }],
      filters: [{ member: 'sales.status', operator: 'equals', values: ['completed'] }],
      segments: [],
      timezone: 'UTC',
      limit: 10,
      offset: 0,
    });
    if (!result.ok) throw new Error(result.error);
    expect(result.value.params).toEqual(['completed']);
    expect(Object.values(result.value.columns).sort()).toEqual([
      'sales.category',
      'sales.created_at.month',
      'sales.revenue',
    ]);
    expect(result.value.sql).toContain('LIMIT 10');
  });

  it('distinguishes a wrong query from a broken model', async () => {
    const query = { measures: ['users.nope'], dimensions: [], timeDimensions: [], filters: [], segments: [], timezone: 'UTC', limit: 1, offset: 0 }; // prettier-ignore
    const wrong = await engine.sql([{ fileName: 'cubes/users.yml', content: users }], query);
    expect(wrong).toMatchObject({
      ok: false,
      type: 'UserError',
      error: expect.stringContaining("'nope' not found") as string,
    });
    expect(await engine.sql(orders('    foo: 1\n'), query)).toMatchObject({ ok: false, type: 'CompileError' });
  });
});

describe('the worker', () => {
  it('forgets old models and asks for them again', async () => {
    const first = [{ fileName: 'cubes/users.yml', content: users }];
    expect(await engine.compile(first)).toMatchObject({ ok: true });
    for (let index = 0; index < 20; index++) {
      const content = users.replaceAll('users', `users${String(index)}`);
      expect(await engine.compile([{ fileName: 'cubes/users.yml', content }])).toMatchObject({ ok: true });
    }
    expect(await engine.compile(first)).toMatchObject({ ok: true, meta: [{ name: 'users' }] });
  });

  it('rejects what is under way when it is closed, and everything afterwards', async () => {
    const closing = createEngine();
    const [pending] = await Promise.allSettled([closing.compile(sampleModel()), closing.close()]);
    expect(pending).toMatchObject({ status: 'rejected', reason: { message: 'The engine stopped.' } });
    await expect(closing.compile([])).rejects.toThrow('closed');
  });
});
