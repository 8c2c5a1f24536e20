import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeActions } from '#language-server/ide/actions.ts';
import { problemsIn } from '#language-server/ide/diagnostics.ts';
import { ignores, lineOfIgnore } from '#language-server/ide/ignores.ts';
import { fixture } from './fixture.ts';

/** The numbers (from 1) of the lines for which a code is off. */
function off(text: string, code = 'a'): number[] {
  const isOff = ignores(text);
  const lines = text.split('\n');
  let at = 0;
  return lines.flatMap((line, number) => {
    const start = at;
    at += line.length + 1;
    return isOff(code, start) ? [number + 1] : [];
  });
}

describe('a comment that switches problems off', () => {
  it.each([
    ['its own line', 'x: 1 # modelbench-ignore: a\ny: 2', [1]],
    ['the next line', '# modelbench-ignore: a\nx: 1\ny: 2', [1, 2]],
    ['several codes', '# modelbench-ignore: b, a\nx: 1\ny: 2', [1, 2]],
    ['all codes', '# modelbench-ignore\nx: 1\ny: 2', [1, 2]],
    ['other codes', '# modelbench-ignore: b\nx: 1\ny: 2', []],
    ['a line below further comments', '# modelbench-ignore: a\n# modelbench-ignore: b\nx: 1\ny: 2', [1, 2, 3]],
    ['a text block', 'x:\n  # modelbench-ignore: a\n  sql: >\n    SELECT\n\n    1\n  y: 2', [2, 3, 4, 5, 6]],
    ['the file', 'x: 1\n# modelbench-ignore-file: a\ny: 2', [1, 2, 3]],
    ['a script', 'cube(`a`, {\n  // modelbench-ignore: a\n  x: 1,\n  y: 2,\n});', [2, 3]],
    ['Windows lines', '# modelbench-ignore: a\r\nx: 1\r\ny: 2', [1, 2]],
    ['a blank line', '# modelbench-ignore: a\n\nx: 1', [1, 2]],
    ['nothing behind another word', '# modelbench-ignored: a\nx: 1', []],
  ])('holds for %s', (_, text, lines) => {
    expect(off(text)).toEqual(lines);
  });

  it('is offered where it holds, also for a problem inside a text block and in a script', () => {
    const texts = [
      'cubes:\n  - name: a\n    sql: >\n      SELECT *\n      FROM {nope.x}\n',
      '#- a.js\ncube(`a`, {\n  sql_table: `t`,\n  shown: true,\n});\n',
    ];
    for (const text of texts) {
      const { opened, workspace } = fixture(text);
      const [problem] = problemsIn(opened);
      expect(problem).toBeDefined();
      const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
      const context = { workspace, canCreateFiles: false, severity: {} };
      const actions = codeActions(opened, whole, ['quickfix'], context);
      const edit = actions.find(({ title }) => title.startsWith('Ignore'))?.edit?.changes?.[opened.uri]?.[0];
      const at = opened.positions.offsetAt(edit?.range.start ?? { line: 0, character: 0 });
      const mended = opened.file.text.slice(0, at) + (edit?.newText ?? '') + opened.file.text.slice(at);
      const name = opened.uri.endsWith('.js') ? 'a.js' : 'model.yml';
      const after = problemsIn(fixture(`#- ${name}\n${mended}`).opened);
      expect(after.map((each) => each.problem.code)).not.toContain(problem?.problem.code);
    }
  });

  it('holds for the line that it was put above, whatever the text', () => {
    const line = fc.constantFrom('x:', '  sql: |', '    SELECT 1', '', '  # note', '  y: 2', '- z');
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.nat(), (lines, seed) => {
        const text = lines.join('\n');
        const offset = seed % (text.length + 1);
        const at = lineOfIgnore(text, offset);
        expect(at === 0 || text[at - 1] === '\n').toBe(true);
        expect(at).toBeLessThanOrEqual(offset);
      }),
      { numRuns: 300, seed: 3 },
    );
  });
});
