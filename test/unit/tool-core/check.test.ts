import Ajv from 'ajv';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { jinja, yaml } from '#support/language/raw.ts';
import { SHOP } from '#support/language/shop.ts';
import { templates } from '#support/language/rendered.ts';
import { runOn, snapshotOf } from '#support/tool-run.ts';
import { check } from '#tools/check/check.ts';
import { toSarif } from '#tools/check/problem-formats.ts';
import type { TemplateEngine } from '#language-server/host.ts';
import type { CompileRequest, CompileResult } from '#tools/ports.ts';
import { isCancelled } from '#base/async.ts';

const BROKEN = yaml`
  # file: a.yml
  cubes:
    - name: a
      sql_table: t
      dimensions:
        - {name: x, sql: x, type: strng}
      measures:
        - {name: m, type: number, sql: "{nope} + 1"}
  # file: b.yml
  views:
    - name: v
      cubes:
        - {join_path: a, includes: [gone]} # modelbench-ignore
`;

/** The result of one checked file without problems. */
const oneRightFile = { files: 1, omitted: 0, passed: true, problems: [] };

describe('check', () => {
  it('lists problems by their places, without those that a comment switches off', async () => {
    const answer = await runOn(BROKEN, check);
    expect(answer.render('text')).toMatchInlineSnapshot(`
      "model/a.yml:5:33: error: \`strng\` is not allowed here. Use one of: string, number, boolean, time, geo, switch. [bad-value]
      model/a.yml:7:40: error: \`nope\` is neither a cube nor a member of \`a\`. [unknown-reference]
      2 errors in 2 files."
    `);
    expect(answer.hasFindings).toBe(true);
    expect(v.is(check.output, answer.value)).toBe(true);
  });

  it('passes a model without mistakes', async () => {
    const answer = await runOn(SHOP, check);
    expect(answer.render('text')).toBe('No problems in 3 files.');
    expect(answer.hasFindings).toBe(false);
  });

  it('checks query files, and refuses those that the platform would read as a part of the model', async () => {
    const text = 'query:\n  measures: [nothing.count]\n';
    const queries = new Map(['model/a.query.yml', 'queries/a.query.yml'].map((path) => [path, text]));
    const answer = await runOn({ ...snapshotOf(SHOP), queries }, check);
    const named = 'The model has no “nothing.count”. [unknown-reference]';
    expect(answer.render('text').split('\n')).toEqual([
      expect.stringMatching(
        /^model\/a\.query\.yml:1:1: error: The platform reads this file.*\[query-in-model\]$/,
      ) as unknown,
      `model/a.query.yml:2:14: error: ${named}`,
      `queries/a.query.yml:2:14: error: ${named}`,
      '3 errors in 3 files.',
    ]);
    const mixed = await runOn(
      { ...snapshotOf(SHOP, true), queries: new Map([['model/a.query.yml', 'title: x\n']]) },
      check,
    );
    expect(mixed.render('text')).not.toContain('query-in-model');
  });

  it('fails at warnings only when it is strict', async () => {
    const model = yaml`
      cubes:
        - name: a
          sql_table: t
          joins:
            - {name: a2, relationship: many_to_one, sql: "{CUBE.nope} = {a2.id}"}
        - name: a2
          sql_table: t
          dimensions:
            - {name: id, sql: id, type: number, primary_key: true}
    `;
    const severities = async (input: object): Promise<unknown> => (await runOn(model, check, input)).value;
    const lax = await severities({});
    expect(lax).toMatchObject({ passed: true, problems: [{ severity: 'warning' }] });
    expect(await severities({ strict: true })).toMatchObject({ passed: false });
    expect(await severities({ severity: 'error' })).toMatchObject({ passed: true, problems: [] });
  });

  it('lists no more than asked, of the wanted paths, and says what it left out', async () => {
    expect((await runOn(BROKEN, check, { limit: 1 })).render('text')).toMatchInlineSnapshot(`
      "model/a.yml:5:33: error: \`strng\` is not allowed here. Use one of: string, number, boolean, time, geo, switch. [bad-value]
      1 error in 2 files. 1 more problem not listed."
    `);
    expect((await runOn(BROKEN, check, { path: 'b.yml' })).value).toEqual(oneRightFile);
    // As Windows writes a path, and as shells complete it.
    for (const path of [String.raw`model\b.yml`, './model/b.yml', String.raw`.\model\b.yml`])
      expect((await runOn(BROKEN, check, { path })).value).toEqual(oneRightFile);
  });

  it('leaves other YAML alone in a folder that is not named as a model', async () => {
    const mixed = snapshotOf(
      yaml`
        # file: ci.yml
        jobs: [a]
        # file: a.yml
        cubes:
          - {name: a, sql_table: t}
      `,
      true,
    );
    expect((await runOn(mixed, check)).value).toEqual(oneRightFile);
  });

  it('refuses a folder without a model instead of passing it', async () => {
    const other = snapshotOf(
      yaml`
        # file: ci.yml
        jobs: [a]
      `,
      true,
    );
    await expect(runOn(other, check)).rejects.toThrow('There is no data model');
  });

  it('adds what the engine refuses where its own checks found nothing', async () => {
    const asked: CompileRequest[] = [];
    const answer = await runOn(
      SHOP,
      check,
      { engine: true },
      {
        compile: async (request) => {
          asked.push(request);
          const refusals = [{ message: 'orders cube: "measures.total.type" must be one of [count, sum]' }];
          return Promise.resolve({ kind: 'compiled', refusals });
        },
      },
    );
    expect(asked).toMatchObject([{ hasScripts: false, files: [{ fileName: 'cubes/orders.yml' }, {}, {}] }]);
    expect(answer.value).toMatchObject({ passed: false, engine: { state: 'refused' } });
    expect(answer.render('text')).toMatchInlineSnapshot(`
      "model/cubes/orders.yml:31:15: error: "measures.total.type" must be one of [count, sum] [engine]
      1 error in 3 files."
    `);
  });

  it('keeps its own error instead of the one of the engine about the same member', async () => {
    const refusals = [{ message: 'a cube: "dimensions.x.type" must be one of [string]' }];
    const answer = await runOn(
      BROKEN,
      check,
      { engine: true },
      {
        compile: async () => Promise.resolve({ kind: 'compiled', refusals }),
      },
    );
    expect(answer.render('text')).toMatchInlineSnapshot(`
      "model/a.yml:5:33: error: \`strng\` is not allowed here. Use one of: string, number, boolean, time, geo, switch. [bad-value]
      model/a.yml:7:40: error: \`nope\` is neither a cube nor a member of \`a\`. [unknown-reference]
      2 errors in 2 files."
    `);
  });

  it('knows what templates render to', async () => {
    const model = yaml`
      # file: events.yml.jinja
      cubes:
        - name: events
          sql_table: t
          dimensions:
          {% for kind in ['view', 'click'] %}
            - {name: {{ kind | safe }}s, sql: "{{ kind | safe }}", type: number}
          {% endfor %}
            - {name: rate, sql: "{clickz} / {views}", type: number}
    `;
    const found = async (render?: TemplateEngine['render']): Promise<string> =>
      (await runOn(model, check, {}, { render })).render('text');
    expect(await found(async (questions) => templates.render(questions))).toMatchInlineSnapshot(`
      "model/events.yml.jinja:8:29: error: \`clickz\` is neither a cube nor a member of \`events\`. Did you mean \`clicks\`? [unknown-reference]
      1 error in 1 file."
    `);
    expect(await found()).toBe('No problems in 1 file.');
    expect(await found(() => Promise.reject(new Error('It stopped.')))).toBe('No problems in 1 file.');
  });

  it('counts the templates that only the platform can compile', async () => {
    const python = jinja`
      # file: t.yml.jinja
      cubes: {{ env_var('X') }}
    `;
    const compile = async ({ files }: CompileRequest): Promise<CompileResult> => {
      expect(files.some(({ fileName }) => fileName.endsWith('.jinja'))).toBe(false);
      return Promise.resolve({ kind: 'compiled', refusals: [] });
    };
    const answer = await runOn(`${SHOP}\n${python}`, check, { engine: true }, { compile });
    expect(answer.value).toMatchObject({ engine: { state: 'accepted', omitted: 1 }, problems: [] });
    expect(answer.render('text')).toMatchInlineSnapshot(`
      "1 template that only the platform can render was not compiled.
      No problems in 4 files."
    `);
  });

  it.each([
    ['the compiler was not asked', SHOP, { kind: 'skipped', reason: 'It is off.' }, 'It is off.'],
    [
      'a script needs a package',
      SHOP,
      { kind: 'compiled', refusals: [{ message: "Package 'lodash' not found" }] },
      '`lodash`, which is not in this folder',
    ],
    [
      'templates use Python',
      jinja`
        # file: globals.py
        x = 1
        # file: t.yml.jinja
        cubes: {{ env_var('X') }}
      `,
      undefined,
      'Python or the environment',
    ],
  ] as const)('passes and gives the reason when %s', async (_, model, result, reason) => {
    const compile = async (): Promise<CompileResult> =>
      result ? Promise.resolve(result as CompileResult) : Promise.reject(new Error('Nothing is compiled.'));
    const answer = await runOn(model, check, { engine: true }, { compile });
    expect(answer.value).toMatchObject({
      engine: { state: 'skipped', reason: expect.stringContaining(reason) as string },
    });
    expect(answer.render('text')).toContain('The model was not compiled.');
    expect(answer.render('github')).toContain('The model was not compiled.');
  });

  it('writes the report of code quality that GitLab reads, with names that outlive moved lines', async () => {
    interface Finding {
      readonly fingerprint: string;
    }
    const report = async (model: string): Promise<readonly Finding[]> =>
      JSON.parse((await runOn(model, check)).render('gitlab')) as readonly Finding[];
    const found = await report(BROKEN);
    expect(found).toMatchObject([
      { check_name: 'bad-value', severity: 'critical', location: { path: 'model/a.yml', lines: { begin: 5 } } },
      { check_name: 'unknown-reference' },
    ]);
    const moved = await report(
      BROKEN.replace(
        'cubes:',
        yaml`
          # a comment
          cubes:`,
      ),
    );
    expect(moved.map(({ fingerprint }) => fingerprint)).toEqual(found.map(({ fingerprint }) => fingerprint));
    expect(new Set(found.map(({ fingerprint }) => fingerprint)).size).toBe(found.length);
  });

  it('compiles nothing unless it is asked to', async () => {
    const compile = async (): Promise<CompileResult> => Promise.reject(new Error('Nothing is compiled.'));
    expect((await runOn(SHOP, check, {}, { compile })).value).not.toHaveProperty('engine');
  });

  it('ends when it is cancelled', async () => {
    const ended = runOn(SHOP, check, {}, { signal: AbortSignal.abort() });
    await expect(ended).rejects.toSatisfy((error) => isCancelled(error) || (error as Error).name === 'AbortError');
  });

  it('says which input is wrong', async () => {
    await expect(runOn(SHOP, check, { severity: 'fatal' })).rejects.toThrow('“severity” must be one of');
    await expect(runOn(SHOP, check, { limit: 0 })).rejects.toThrow('“limit” must be a whole number');
  });
});

/** What the standard requires of a log, as far as readers depend on it. */
const sarifSchema = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool', 'results'],
        properties: {
          tool: { required: ['driver'], properties: { driver: { type: 'object', required: ['name'] } } },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message', 'ruleId', 'locations'],
              properties: { level: { enum: ['none', 'note', 'warning', 'error'] } },
            },
          },
        },
      },
    },
  },
};

describe('a report of problems for other programs', () => {
  it('holds what code scanning needs', async () => {
    const log: unknown = JSON.parse((await runOn(BROKEN, check)).render('sarif'));
    expect(new Ajv().validate(sarifSchema, log)).toBe(true);
    expect(log).toMatchObject({
      runs: [
        {
          results: [
            {
              level: 'error',
              locations: [{ physicalLocation: { artifactLocation: { uri: 'model/a.yml' }, region: { startLine: 5 } } }],
            },
            {},
          ],
        },
      ],
    });
  });

  it.each([
    ['model/a b/ä%#?.yml', { uri: 'model/a%20b/%C3%A4%25%23%3F.yml', uriBaseId: '%SRCROOT%' }],
    ['..data/a.yml', { uri: '..data/a.yml', uriBaseId: '%SRCROOT%' }],
    ['/srv/my shop/model/a.yml', { uri: 'file:///srv/my%20shop/model/a.yml' }],
    ['C:/my shop/model/a.yml', { uri: 'file:///C:/my%20shop/model/a.yml' }],
    ['//server/share/model/a.yml', { uri: 'file://server/share/model/a.yml' }],
    ['model/\ud800.yml', { uri: 'model/%EF%BF%BD.yml', uriBaseId: '%SRCROOT%' }],
  ])('names the file %s by a URI', (path, artifactLocation) => {
    const problem = {
      path,
      line: 1,
      column: 1,
      endLine: 1,
      endColumn: 2,
      severity: 'error',
      code: 'x',
      message: 'y',
    } as const;
    const { runs } = JSON.parse(toSarif([problem])) as {
      readonly runs: readonly {
        readonly results: readonly { readonly locations: readonly { readonly physicalLocation: object }[] }[];
        readonly originalUriBaseIds: object;
      }[];
    };
    expect(runs[0]?.results[0]?.locations[0]?.physicalLocation).toMatchObject({ artifactLocation });
    expect(runs[0]?.originalUriBaseIds).toHaveProperty('%SRCROOT%');
  });

  it('gives GitHub one command for each problem', async () => {
    expect((await runOn(BROKEN, check)).render('github')).toMatchInlineSnapshot(`
      "::error file=model/a.yml,line=5,endLine=5,col=33,endColumn=38,title=bad-value::\`strng\` is not allowed here. Use one of: string, number, boolean, time, geo, switch.
      ::error file=model/a.yml,line=7,endLine=7,col=40,endColumn=44,title=unknown-reference::\`nope\` is neither a cube nor a member of \`a\`.
      2 errors in 2 files."
    `);
  });

  it('lets no text of the model begin a command of GitHub', async () => {
    const hostile = yaml`
      cubes:
        - name: a
          sql_table: t
          "x\n::set-env name=A::b": 1
    `;
    const lines = (await runOn(hostile, check)).render('github').split('\n');
    expect(lines.filter((line) => line.startsWith('::'))).toHaveLength(lines.length - 1);
    expect(lines.every((line) => !line.startsWith('::set-env'))).toBe(true);
    const text = (await runOn(hostile, check)).render('text').split('\n');
    expect(text.every((line) => !line.startsWith('::'))).toBe(true);
  });
});
