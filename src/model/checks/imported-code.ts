import { type Chunk, homeInChunk, type ImportedCode, type ScriptSource } from '../chunk.ts';
import type { Problem } from '../codes.ts';

/** Moves problems of code in another file to where the script uses it, once for each message; each names the code. */
export function atHome(problems: readonly Problem[], chunk: Chunk): readonly Problem[] {
  const { script } = chunk;
  if (!script || !problems.some(({ start }) => start > script.length)) return problems;
  const own = problems.filter(({ start }) => start <= script.length);
  const moved = new Map<string, Problem>();
  for (const problem of problems) {
    if (problem.start <= script.length) continue;
    const { start, end } = homeInChunk(problem.start, chunk) ?? chunk.imports[0] ?? { start: 0, end: 0 };
    const key = `${start} ${problem.message}`;
    const imported = [...(moved.get(key)?.imported ?? []), ...importedCode(problem, script.files)];
    moved.set(key, { ...problem, start, end, fix: undefined, related: undefined, imported });
  }
  return [...own, ...moved.values()];
}

/** Returns the code of an imported file that a problem is about. */
function importedCode({ start, end }: Problem, files: ScriptSource['files']): readonly ImportedCode[] {
  const file = files.find((each) => each.start <= start && start <= each.end);
  return file ? [{ path: file.path, start: start - file.start, end: end - file.start }] : [];
}
