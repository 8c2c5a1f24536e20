import ignore from 'ignore';
import { compileIgnore } from '#sync/core/selection/ignore.ts';
import type { Figure } from '../figures.ts';
import { sideBySide } from './side-by-side.ts';

/** A pattern with more and more stars against a path that nearly matches, and a scan with usual patterns. */
export function ignoreFigures(): readonly Figure[] {
  const deep = `${'a/'.repeat(60)}bx`;
  const hostile = [2, 3, 4].map((folders) => {
    const pattern = `${'**/a/'.repeat(folders)}**/b`;
    return compared(`${pattern} against one path of 61 folders`, [pattern], [deep]);
  });
  const usual = ['generated/', '*.bak', '/drafts/**', '!keep.yml', '*_old.yml', 'temp*', '**/archive/*.yml'];
  const paths = Array.from({ length: 100_000 }, (_, file) => `model/cubes/f${file % 300}/cube_${file}.yml`);
  return [...hostile, compared('seven patterns against 100,000 paths', usual, paths)];
}

function compared(id: string, patterns: readonly string[], paths: readonly string[]): Figure {
  const own = compileIgnore(patterns);
  const theirs = ignore({ ignorecase: false }).add(patterns);
  return sideBySide(
    id,
    'ignore',
    () => paths.filter((path) => own.ignores(path, false)),
    () => paths.filter((path) => theirs.ignores(path)),
  );
}
