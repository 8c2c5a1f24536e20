import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileProblems } from '#model/checks/file-problems.ts';
import { isModelPath } from '#model/project/model-path.ts';
import { indexOf, problemsOf } from '#support/language/problems.ts';
import { renderTemplates } from '#support/language/rendered.ts';

const CORPORA = 'test/fixtures/corpora';

interface Verdict {
  readonly root: string;
  readonly files: readonly string[];
  readonly errors: readonly { readonly m: string }[];
}
interface Expected {
  readonly cases: readonly { readonly dir: string; readonly compiles: boolean }[];
}

const verdicts = JSON.parse(readFileSync(`${CORPORA}/verdicts.json`, 'utf8')) as readonly Verdict[];
const matrix = JSON.parse(readFileSync(`${CORPORA}/error-matrix/expected.json`, 'utf8')) as Expected;

/** Reads the model files of a verdict; its paths are relative to the corpus that its root is in. */
function filesOf({ root, files }: Verdict): Record<string, string> {
  const corpus = `${CORPORA}/${root.split('/')[1] ?? ''}`;
  const read = files.filter(isModelPath).map((file) => {
    const path = [`${corpus}/${file}`, `${CORPORA}/${root.replace('corpora/', '')}/${file}`].find((candidate) =>
      existsSync(candidate),
    );
    return [file, readFileSync(path ?? file, 'utf8')] as const;
  });
  return Object.fromEntries(read);
}

function hasTemplates(verdict: Verdict): boolean {
  return Object.values(filesOf(verdict)).some((text) => text.includes('{%'));
}

function projectOf(dir: string): Record<string, string> {
  const root = `${CORPORA}/error-matrix/${dir}/model/`;
  const paths = globSync(`${root}**/*`).filter((path) => statSync(path).isFile());
  return Object.fromEntries(paths.map((path) => [path.slice(root.length), readFileSync(path, 'utf8')]));
}

/** Where the mistake of each project stands: file, text of the line, and the code. */
const PLACES: Readonly<Record<string, readonly [string, string]>> = {
  'acl-bad-operator': ['operator: eq', 'bad-value'],
  'acl-role': ['role: a', 'unknown-key'],
  'bad-dim-type': ['type: strin', 'bad-value'],
  'bad-name': ['1bad-name', 'bad-name'],
  'bad-ref-bare': ['{nope}', 'unknown-reference'],
  'both-sql': ['sql: SELECT 1', 'exclusive-keys'],
  'default-filters-unknown': ['member: nope', 'unknown-reference'],
  'dim-no-type': ['{name: x, sql: x}', 'missing-key'],
  'drill-unknown': ['drill_members: [nope]', 'unknown-reference'],
  'dup-cube': ['cubes:', 'duplicate-key'],
  'dup-dim': ['{name: status, sql: status', 'duplicate-name'],
  'dup-join': ['- name: users', 'duplicate-join'],
  'extends-unknown': ['extends: nope', 'unknown-reference'],
  'hierarchy-unknown-level': ['levels: [status, nope]', 'unknown-reference'],
  'jinja-syntax': ['{% for x', 'jinja-syntax'],
  'join-no-pk': ['- name: users', 'missing-primary-key'],
  'join-unknown-cube': ['- name: nousers', 'unknown-reference'],
  'js-bad-ref': ['CUBE.nope', 'unknown-reference'],
  'js-dup-key': ['count: {sql', 'duplicate-key'],
  'measure-no-sql': ['name: x', 'missing-key'],
  'null-value': ['', 'null-value'],
  'pre-agg-bad-type': ['rolup', 'bad-value'],
  'unclosed-brace': ['{', 'bad-expression'],
  'unknown-dim-key': ['foo: 1', 'unknown-key'],
  'unknown-top-key': ['foo: 1', 'unknown-section'],
  'view-no-includes': ['{join_path: orders}', 'missing-key'],
  'view-own-measure': ['name: z', 'view-own-member'],
  'view-unknown-member': ['includes: [nope]', 'unknown-reference'],
  'two-bad-refs': ['nope', 'unknown-reference'],
  'yaml-syntax': ['sql: x', 'yaml-syntax'],
};

describe('models that the engine accepts', () => {
  for (const verdict of verdicts.filter(({ errors }) => errors.length === 0)) {
    // @shows no-false-errors
    it(`no error in ${verdict.root}`, () => {
      const found = problemsOf(filesOf(verdict));
      expect(found.filter(({ severity, code }) => severity === 'error' || code === 'code-in-expression')).toEqual([]);
    });
  }

  for (const verdict of verdicts.filter((each) => each.errors.length === 0 && hasTemplates(each))) {
    // @shows no-false-errors
    it(`no error in ${verdict.root} with its templates rendered`, () => {
      const index = indexOf(filesOf(verdict));
      renderTemplates(index);
      const found = [...index.files()].flatMap((file) => fileProblems(file, index));
      expect(found.filter(({ severity }) => severity === 'error').map(({ problem }) => problem.message)).toEqual([]);
    });
  }

  for (const { dir } of matrix.cases.filter(({ compiles }) => compiles)) {
    // @shows no-false-errors
    it(`no error in ${dir}`, () => {
      expect(problemsOf(projectOf(dir)).filter(({ severity }) => severity === 'error')).toEqual([]);
    });
  }
});

describe('models that the engine refuses', () => {
  for (const { dir } of matrix.cases.filter(({ compiles }) => !compiles)) {
    // @shows errors-of-the-engine
    it(`an error at the mistake of ${dir}`, () => {
      const [text, code] = PLACES[dir] ?? ['?', '?'];
      const errors = problemsOf(projectOf(dir)).filter(({ severity }) => severity === 'error');
      expect(errors.filter((error) => error.code === code && error.lineText.includes(text))).not.toEqual([]);
      // One mistake, one error: the rest of the model stays clean.
      expect(new Set(errors.map(({ lineText }) => lineText)).size).toBeLessThanOrEqual(2);
    });
  }
});
