import { describe, expect, it } from 'vitest';
import { SHOP } from '#support/language/shop.ts';
import { runOn, snapshotOf } from '#support/tool-run.ts';
import { check } from '#tools/check/check.ts';
import type { ModelSnapshot } from '#tools/ports.ts';

describe('check of agents since a revision', () => {
  const QUESTION = '  - {name: a, question: x, certifiedQuery: top}\n';
  const OLD = {
    'config.yml': 'accessible_views: [sales, shop]\n',
    'evals.yml': `eval_questions:\n${QUESTION}`,
    'rules/tone.md': '---\ntype: always\n---\nBe brief.\n',
    'certified_queries/top.md': '---\nuser_request: x\n---\nSELECT 1\n',
  };
  const withAgents = (texts: Readonly<Record<string, string>>, model = SHOP): ModelSnapshot => ({
    ...snapshotOf(model),
    agents: { root: 'agents/', texts: new Map(Object.entries(texts)) },
  });
  const since = async (now: Readonly<Record<string, string>>, model = SHOP): Promise<readonly string[]> => {
    const { render } = await runOn(withAgents(now, model), check, { since: 'main' }, { base: withAgents(OLD) });
    return render('text')
      .split('\n')
      .flatMap((line) => /^agents\/\S+/.exec(line)?.[0] ?? []);
  };

  it('lists no warning of what is the same', async () => {
    expect((await runOn(withAgents(OLD), check)).value).toMatchInlineSnapshot(`
      {
        "files": 3,
        "omitted": 0,
        "passed": true,
        "problems": [
          {
            "code": "unknown-reference",
            "column": 20,
            "endColumn": 25,
            "endLine": 1,
            "line": 1,
            "message": "The data model has no view “sales”.",
            "path": "agents/config.yml",
            "severity": "warning",
          },
        ],
      }
    `);
    expect(await since(OLD)).toEqual([]);
    const { 'config.yml': config, ...others } = OLD;
    expect(await since({ ...others, 'moved.yml': config })).toEqual([]);
  });

  it('lists warnings of changed lines and of new files', async () => {
    expect(await since({ ...OLD, 'config.yml': `runtime: x\naccessible_views: [sales]\n` })).toEqual([
      'agents/config.yml:2:20:',
    ]);
    expect(await since({ ...OLD, 'rules/more.md': '---\ntype: sometimes\n---\nText\n' })).toEqual([
      'agents/rules/more.md:2:7:',
    ]);
    expect(await since({ ...OLD, 'evals.yml': `eval_questions:\n${QUESTION.replace('a,', 'b,')}${QUESTION}` })).toEqual(
      [],
    );
  });

  it('lists warnings of unchanged lines that a change elsewhere caused', async () => {
    const { 'certified_queries/top.md': _, ...withoutQuery } = OLD;
    expect(await since(withoutQuery)).toEqual(['agents/evals.yml:2:44:']);
    expect(await since({ ...OLD, 'rules/tone.md': '---\ntype: always\n---\n' })).toEqual(['agents/rules/tone.md:2:1:']);
    expect(await since(OLD, SHOP.replace('name: shop', 'name: store'))).toEqual(['agents/config.yml:1:27:']);
  });
});
