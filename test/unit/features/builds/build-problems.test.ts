import { describe, expect, it } from 'vitest';
import { parseBuildErrors } from '#model/engine/build-errors.ts';
import { buildProblems, type ProblemLocation } from '#features/builds/build-problems.ts';
import { yaml } from '#support/language/raw.ts';

const files = new Map([
  [
    'model/cubes/orders.yml',
    yaml`
      cubes:
        - name: orders
          dimensions:
            - name: channel
              type: strng
    `,
  ],
  [
    'model/cubes/users.yml',
    yaml`
      cubes:
        - name: users
          sql: select 1
    `,
  ],
]);
const at = (path: string, line: number): ProblemLocation => ({
  path,
  start: { line, character: 14 },
  end: { line, character: 19 },
});
const placed = (text: string, served: readonly (ProblemLocation | undefined)[]): readonly (readonly unknown[])[] =>
  buildProblems(parseBuildErrors(text), served, files).map(({ location }) => [location?.path, location?.start.line]);

describe('places of build errors', () => {
  const typeError = 'orders cube: "dimensions.channel.type" does not match any of the allowed types';

  // @shows build-errors
  it('are what the language server says: the node, not the member’s name', () => {
    expect(placed(typeError, [at('model/cubes/orders.yml', 4)])).toEqual([['model/cubes/orders.yml', 4]]);
  });

  it('are searched in the texts while there is no server', () => {
    expect(placed(typeError, [])).toEqual([['model/cubes/orders.yml', 3]]);
    expect(placed(typeError, [undefined])).toEqual([['model/cubes/orders.yml', 3]]);
  });

  it('are the lines that the engine itself names', () => {
    const exact = 'users.yml Errors:\nUnexpected token (3:2)\n> 3 |     sql: select 1\n';
    expect(placed(exact, [at('model/cubes/orders.yml', 0)])).toEqual([['model/cubes/users.yml', 2]]);
  });

  it('stay in the file that the engine names', () => {
    const named = '[cubes/users.yml] Something is wrong with this';
    expect(placed(named, [at('model/cubes/orders.yml', 0)])).toEqual([['model/cubes/users.yml', 0]]);
    expect(placed(named, [at('model/cubes/users.yml', 1)])).toEqual([['model/cubes/users.yml', 1]]);
  });

  it('are nowhere when nothing leads to one, and the message stays', () => {
    expect(buildProblems(parseBuildErrors('Out of memory'), [], files)).toEqual([
      { message: 'Out of memory', location: undefined },
    ]);
  });
});
