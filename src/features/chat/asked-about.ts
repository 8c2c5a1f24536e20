import type { AskTarget } from '#shell/targets.ts';

/** A problem of a file, with the lines around it. */
export interface AskedProblem {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
  readonly fileText: string;
}

/** The question that *Ask the Agent* puts into the composer for a problem. */
export function problemQuestion({ path, line, message, fileText }: AskedProblem): AskTarget {
  return {
    ask: '/fix ',
    attached: [
      { label: `Problem at ${path}:${line}`, detail: path, text: `${path}:${line}: ${message}` },
      { label: path, detail: path, text: fileText },
    ],
  };
}

/** The same for a failed build. */
export function buildQuestion(branchName: string, errors: string): AskTarget {
  return {
    ask: '/fix ',
    attached: [{ label: `Failed build of ${branchName}`, detail: branchName, text: errors }],
  };
}
