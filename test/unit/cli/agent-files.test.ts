import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { places } from '#support/cli-places.ts';
import { yaml } from '#support/language/raw.ts';

const MODEL = {
  'model/sales.yml': yaml`
    cubes:
      - {name: orders, sql_table: o, dimensions: [{name: id, sql: id, type: number, primary_key: true}]}
    views:
      - {name: sales, cubes: [{join_path: orders, includes: [id]}]}
  `,
};

/** Runs a command in a project with these files. */
async function run(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-agents-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  let out = '';
  const code = await runCommandLine(args, {
    ...places(folder),
    folder,
    isInteractive: false,
    signal: new AbortController().signal,
    variables: {},
    stdout: (text) => (out += text),
    stderr: () => undefined,
  });
  return { code, out };
}

describe('check of a project with agents', () => {
  it('warns of what the documented format rules out, over all files', async () => {
    const files = {
      ...MODEL,
      'agents/config.yml': yaml`
        accessible_views: [sales, sale]
        new_key: 1
      `,
      'agents/eval_questions.yml': yaml`
        eval_questions:
          - {name: a, question: x, certifiedQuery: top}
      `,
      'agents/certified_queries/top.md': yaml`
        ---
        user_request: x
        ---
        SELECT 1
      `,
      'agents/rules/empty.md': yaml`
        ---
        type: always
        ---
      `,
    };
    const answer = await run(files, 'check');
    expect(answer).toMatchInlineSnapshot(`
      {
        "code": 0,
        "out": "agents/config.yml:1:27: warning: The data model has no view “sale”. Did you mean “sales”? [unknown-reference]
      agents/rules/empty.md:2:1: warning: The file has no text behind its front matter and no “prompt”. [missing-key]
      2 warnings in 1 file.
      ",
      }
    `);
    expect((await run(files, 'check', '--strict')).code).toBe(1);
    expect((await run(files, 'check', '--path', 'model/')).out).toBe('No problems in 1 file.\n');
  });

  it('finds nothing in a folder of the same name that holds something else', async () => {
    expect(await run({ ...MODEL, 'agents/main.py': '', 'agents/README.md': '# Agents\n' }, 'check')).toEqual({
      code: 0,
      out: 'No problems in 1 file.\n',
    });
  });
});
