import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** How a hint begins: it asks for something first, or says that there is nothing to do. */
const beginnings =
  /new UserError\(\s*['`]((?:Choose|Open|Select|Sign in|Nothing is|There (?:is|are) no|You have no|This (?:branch|deployment|tenant) has no|No (?!permission))\b[^'`]*)/gi;

function hintsShownAsErrors(source: string): readonly string[] {
  return [...source.matchAll(beginnings)].map(([, message = '']) => message);
}

describe('a hint', () => {
  it('does not appear as an error', () => {
    const files = globSync('src/**/*.ts', { cwd: root });
    expect(files.flatMap((file) => hintsShownAsErrors(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it.each(['There are no conflicts.', 'Choose a workbook.', 'No request has been sent yet.'])(
    'shows where it is thrown as an error: %s',
    (message) => {
      expect(hintsShownAsErrors(`throw new UserError(\n  '${message}',\n);`)).toEqual([message]);
      expect(hintsShownAsErrors(`throw new Hint('${message}');`)).toEqual([]);
    },
  );

  it('leaves what failed an error', () => {
    expect(hintsShownAsErrors("new UserError('No permission: the key may not do this.')")).toEqual([]);
  });
});
