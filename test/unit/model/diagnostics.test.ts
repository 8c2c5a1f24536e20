import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codes } from '#model/codes.ts';
import { exampleIn, examples } from '#support/language/diagnostic-page.ts';
import { problemsOf } from '#support/language/problems.ts';

/** Codes that one file alone cannot show, and the tests that show them. */
const SHOWN_ELSEWHERE = {
  'differs-from-deploy': 'test/unit/language-server/diagnostics/branch-changes.test.ts',
  engine: 'test/unit/language-server/engine-requests/engine-checks.test.ts',
  'not-checked': 'test/unit/model/hostile.test.ts',
  'query-in-model': 'test/unit/model/query-files/query-in-model.test.ts',
};

describe('the page of a diagnostic', () => {
  it('has an example, unless one file cannot show it', () => {
    const others = Object.keys(codes).filter((code) => !examples().some((example) => example.code === code));
    expect(others.toSorted()).toEqual(Object.keys(SHOWN_ELSEWHERE).toSorted());
    for (const [code, file] of Object.entries(SHOWN_ELSEWHERE)) expect(readFileSync(file, 'utf8')).toContain(code);
  });

  it('needs both of its examples', () => {
    const page = '## Example\n\n```yaml\ncubes: []\n```\n\n## Switch it off\n';
    expect(() => exampleIn('engine', page)).toThrow('a wrong and a right model');
  });
});

describe.each(examples())('$code', ({ code, path, wrong, reported, right }) => {
  it('appears for the wrong model of its page, as the page says', () => {
    const found = problemsOf({ [path]: wrong }).filter((problem) => problem.code === code);
    expect(found.map(({ line, text, message }) => `Line ${line}, \`${text.split('\n')[0]}\`: ${message}`)).toEqual(
      reported,
    );
    expect(reported).not.toEqual([]);
  });

  it('stands alone there, and the right model has no problem', () => {
    const others = problemsOf({ [path]: wrong }).filter((problem) => problem.code !== code);
    expect(others.map((problem) => problem.code)).toEqual([]);
    expect(problemsOf({ [path]: right })).toEqual([]);
  });
});

describe('a code', () => {
  it('has a rule that reports it', () => {
    const sources = ['src/model', 'src/language-server'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && name !== 'codes.ts')
        .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
    );
    const unnamed = Object.keys(codes).filter((code) => !sources.some((text) => text.includes(`'${code}'`)));
    expect(unnamed).toEqual([]);
  });
});
