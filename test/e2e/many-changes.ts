import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './journey.ts';

export const cube = (name: string): string =>
  `cubes:\n  - name: ${name}\n    sql_table: customers\n    measures:\n      - name: count\n        type: count\n`;

/** Adds 27 cubes, renames `renamed[0]` to `renamed[1]` and deletes a file below `model/cubes`. */
export function manyChanges(
  { folder }: Stage,
  names: { readonly prefix: string; readonly renamed: readonly [string, string]; readonly deleted: string },
): void {
  const cubes = join(folder, 'model/cubes');
  const { prefix, renamed, deleted } = names;
  mkdirSync(join(cubes, prefix));
  for (let at = 1; at <= 27; at += 1)
    writeFileSync(join(cubes, prefix, `${prefix}_${at}.yml`), cube(`${prefix}_${at}`));
  renameSync(join(cubes, renamed[0]), join(cubes, renamed[1]));
  rmSync(join(cubes, deleted));
}
