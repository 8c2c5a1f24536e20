import { codes, type Fix, type Problem, type Severity } from '../codes.ts';
import type { ModelFile } from '../file.ts';
import type { ModelIndex } from '../index.ts';
import type { Rendering } from '../templates/rendering.ts';
import { quotedOutputAt, describedByOutput } from './quoted-output.ts';
import { type Found, relatedProblems, textProblems } from './check.ts';

/**
 * Returns the problems of a template's own text: those of its statements and, while it is newer than its rendering, those of its
 * plain YAML.
 */
export function writtenProblems(file: ModelFile, rendering: Rendering): readonly Found[] {
  const isOfTemplate = ({ problem }: Found): boolean => problem.code !== 'yaml-syntax';
  const own = textProblems({ ...file, chunks: [] }).filter(isOfTemplate);
  if (file.text === rendering.source.text) return own;
  const plain = file.chunks.filter(({ chunk }) => !chunk.templated && !chunk.hasFiller);
  return [...own, ...textProblems({ ...file, problems: [], chunks: plain })];
}

/**
 * Returns the problems of a template's output, each at the template text that it comes from and only once, however often it is
 * rendered.
 */
export function renderedProblems(
  file: ModelFile,
  rendering: Rendering,
  index: ModelIndex,
  stale: boolean,
): readonly Found[] {
  const rendered = rendering.file;
  const problems = [
    ...textProblems(rendered),
    ...rendered.chunks.flatMap((placed) => relatedProblems(placed, index, rendered, { stale })),
  ];
  const found = new Map<string, Found>();
  for (const each of problems) {
    const written = inTemplate(each, file, rendering);
    const key = `${written.start} ${written.end} ${written.problem.code} ${written.problem.message}`;
    if (!found.has(key)) found.set(key, written);
  }
  return [...found.values()];
}

function inTemplate(found: Found, file: ModelFile, rendering: Rendering): Found {
  const { problem, start, end } = found;
  const output = problem.code === 'yaml-syntax' ? quotedOutputAt(start, file, rendering) : undefined;
  if (output) {
    const described = describedByOutput(problem, output);
    return { problem: described, severity: severityOf(found, rendering), start: described.start, end: described.end };
  }
  const base = start - problem.start;
  const range = rendering.rangeIn(file, start, end);
  const from = range.start - problem.start;
  return {
    problem: { ...problem, fix: fixInTemplate(problem, base, from, file, rendering) },
    severity: severityOf(found, rendering),
    start: range.start,
    end: range.end,
  };
}

/**
 * Returns the severity of a problem: unknown values may be rendered differently than a parser assumes. A missing name is certain,
 * whichever lines are rendered elsewhere in its cube.
 */
function severityOf({ problem, severity, start }: Found, rendering: Rendering): Severity {
  const chunk = rendering.file.chunks.findLast((placed) => placed.start <= start)?.chunk;
  if (problem.code === 'yaml-syntax') return chunk?.hasFiller === true ? 'warning' : severity;
  const isName = problem.code === 'unknown-reference' && chunk?.open === false;
  return isName && !rendering.isUnsureAt(start) ? (problem.severity ?? codes[problem.code].severity) : severity;
}

/** Returns a fix that edits only the affected text; undefined if the template computes it. */
function fixInTemplate(
  { fix }: Problem,
  base: number,
  from: number,
  file: ModelFile,
  rendering: Rendering,
): Fix | undefined {
  const range = fix && rendering.rangeIn(file, base + fix.start, base + fix.end);
  if (!fix || !range?.isExact) return undefined;
  // A text that is rendered several times may be right elsewhere.
  const sure = fix.sure === true && rendering.map.copiesOf(range.start, range.end) === 1;
  return { ...fix, start: range.start - from, end: range.end - from, sure };
}
