import { codes, type Problem } from '#model/codes.ts';

/** Whether the engine refuses the model because of a problem. */
export function isError({ code, severity }: Pick<Problem, 'code' | 'severity'>): boolean {
  return (severity ?? codes[code].severity) === 'error';
}
