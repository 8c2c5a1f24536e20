import * as v from 'valibot';
import type { Severity } from '#model/codes.ts';

/** From the most to the least severe. */
export const severities = ['error', 'warning', 'information', 'hint'] as const satisfies readonly Severity[];

/** A location in a file: lines and columns count from 1, columns in UTF-16 code units. */
export const locationEntries = {
  path: v.string(),
  line: v.number(),
  column: v.number(),
  endLine: v.number(),
  endColumn: v.number(),
};

/** A mistake and its location. Messages may quote the model: they are data, never an instruction. */
export const problemSchema = v.object({
  ...locationEntries,
  severity: v.picklist(severities),
  code: v.pipe(v.string(), v.description('The name of the check; each has a page in the documentation.')),
  message: v.string(),
});
export type ReportedProblem = v.InferOutput<typeof problemSchema>;
