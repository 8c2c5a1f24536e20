import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnsweredError, platformErrors } from '#model/engine/platform-errors.ts';
import type { EngineRefusal } from '#model/engine/engine-refusals.ts';

const BAD = 'orders cube: "dimensions.id.nope" is not allowed';

describe('an error in the answer of a platform', () => {
  it.each<[string, AnsweredError, readonly EngineRefusal[]]>([
    ['a text', { message: BAD }, [{ message: BAD }]],
    ['several lines', { message: 'Strange.\nAt all.' }, [{ message: 'Strange.\nAt all.' }]],
    ['a class', { message: `Error: ${BAD}` }, [{ message: BAD }]],
    ['several classes', { message: `Uncaught CompileError: UserError: ${BAD}` }, [{ message: BAD }]],
    ['a word like a class', { message: 'Errors in SQL: a' }, [{ message: 'Errors in SQL: a' }]],
    [
      'a stack',
      {
        message: `Error: ${BAD}\n    at CubeValidator.validate (/cube/node_modules/a/CubeValidator.js:12:9)\n    at async Promise.all (index 0)\n    at new A (<anonymous>)\n    at /cube/b.js:1:2`,
      },
      [{ message: BAD }],
    ],
    [
      'markup',
      { message: '<p>orders cube: &quot;dimensions.id.nope&quot; <b>is not allowed</b></p>' },
      [{ message: BAD }],
    ],
    [
      'a web page',
      {
        message:
          '<!DOCTYPE html><html><head><title>502</title><style>a{}</style></head><body><h1>Bad Gateway</h1>\n<p>Try &amp; wait.</p></body></html>',
      },
      [{ message: 'Bad Gateway\nTry & wait.' }],
    ],
    ['signs that are not markup', { message: 'a < b and c > d' }, [{ message: 'a < b and c > d' }]],
    ['colours', { message: `\u001B[31m${BAD}\u001B[0m` }, [{ message: BAD }]],
    ['a file in brackets', { message: `[cubes/a.yml] ${BAD}` }, [{ message: BAD, fileName: 'cubes/a.yml' }]],
    [
      'headings of files',
      {
        message: `Compile errors:\ncubes/orders.yml Errors:\n${BAD}\nNope is not defined\n\nusers.js Errors:\nusers cube: (sql) is required\nPossible reasons (one of):\n\t* a\n`,
      },
      [
        { message: BAD, fileName: 'cubes/orders.yml' },
        { message: 'Nope is not defined', fileName: 'cubes/orders.yml' },
        { message: 'users cube: (sql) is required\nPossible reasons (one of):\n\t* a', fileName: 'users.js' },
      ],
    ],
    [
      'several cubes',
      { message: `${BAD}\nusers cube: (sql) is required`, fileName: 'all.yml' },
      [
        { message: BAD, fileName: 'all.yml' },
        { message: 'users cube: (sql) is required', fileName: 'all.yml' },
      ],
    ],
  ])('is the engine’s own in %s', (_, error, expected) => {
    expect(platformErrors([error])).toEqual(expected);
  });

  it.each<[AnsweredError, EngineRefusal['fileName'], number?]>([
    [{ message: 'A', fileName: 'model/a.yml' }, 'model/a.yml'],
    [{ message: 'A', file: 'model/a.yml', line: 7 }, 'model/a.yml', 7],
    [{ message: 'A', path: ' "model/a.yml" ' }, 'model/a.yml'],
    [{ message: 'A', fileName: null, filename: '`a.js`' }, 'a.js'],
    [{ message: 'A', fileName: 'model/a.yml:12' }, 'model/a.yml', 12],
    [{ message: 'A', fileName: 'model/a.yml.jinja:12:3' }, 'model/a.yml.jinja', 12],
    [{ message: 'A', fileName: 'a.js (12:3)' }, 'a.js', 12],
    [{ message: 'A', fileName: 'a.js(12:3)' }, 'a.js', 12],
    [{ message: 'A', fileName: 'a.yml, line 12' }, 'a.yml', 12],
    [{ message: 'A', fileName: 'a.yml#L12' }, 'a.yml', 12],
    [{ message: 'A', fileName: 'file:///cube/conf/model/a%20b%23.yml:3' }, '/cube/conf/model/a b#.yml', 3],
    [{ message: 'A', fileName: String.raw`C:\cube\model\a.yml:3` }, String.raw`C:\cube\model\a.yml`, 3],
    [{ message: 'A', fileName: 'späte größe #1 (2) 100%.yml' }, 'späte größe #1 (2) 100%.yml'],
    [{ message: 'A', fileName: 'a.yml\n\u001B[31m' }, 'a.yml'],
    [{ message: 'A', fileName: '' }, undefined],
    [{ message: 'A', fileName: '  ', line: 3 }, undefined],
    [{ message: 'A', fileName: 7, line: -3 }, undefined],
  ])('has the file and the line of %j', (error, fileName, line) => {
    expect(platformErrors([error])).toEqual([
      { message: 'A', ...(fileName === undefined ? {} : { fileName }), ...(line === undefined ? {} : { line }) },
    ]);
  });

  it('loses no text that says something, whatever surrounds it', () => {
    const piece = fc.constantFrom(
      '\n',
      'Errors:',
      'a.yml Errors:',
      'orders cube: ',
      ' at x',
      'Error: ',
      '<p>',
      '>',
      '[a.yml] ',
      '| ',
      '  ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(piece, { maxLength: 8 }), (before, after) => {
        const message = [...before, 'Something odd happened', ...after].join('\n');
        const found = platformErrors([{ message }]);
        expect(found.map((each) => each.message).join('\n')).toContain('Something odd happened');
      }),
    );
  });
});
