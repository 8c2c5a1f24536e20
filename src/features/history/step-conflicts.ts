import { commonLines } from '#base/merge-lines.ts';
import type { FileTarget } from '#shell/targets.ts';
import type { Choice, ConflictSource, Opening, Resolved } from './conflict-source.ts';
import { stepText } from './git-attempt.ts';
import { conflictAt, type ResolveEditor, resolveInStep, type ResolvePorts, versionOn } from './resolve-git-conflict.ts';
import { gitConflictsOf } from './stopped-steps.ts';

/** What resolving conflicts of a stopped step needs. */
export interface StepConflictPorts {
  readonly steps: ResolvePorts;
  readonly editorOf: (file: FileTarget) => ResolveEditor;
  readonly exists: (file: FileTarget) => Promise<boolean>;
}

/** Conflicts of dev branches with another branch, since a Git step stopped at them. */
export class StepConflicts implements ConflictSource {
  readonly #ports: StepConflictPorts;

  constructor(ports: StepConflictPorts) {
    this.#ports = ports;
  }

  readonly open = async (file: FileTarget): Promise<Opening> => {
    const { steps, exists } = this.#ports;
    const theirs = await versionOn(steps, conflictAt(steps, file).from, file.path);
    if (!theirs || !(await exists(file))) return { kind: 'difference' };
    return { kind: 'merge', remote: theirs.hash, theirs: withoutMark(theirs.content), base: commonLines };
  };

  readonly resolve = async (file: FileTarget, choice: Choice): Promise<Resolved | undefined> => {
    const { steps, editorOf } = this.#ports;
    const session = await resolveInStep(steps, editorOf(file), file, choice);
    if (!session) return undefined;
    const left = gitConflictsOf(steps, session).length;
    const attempt = steps.attempts.of(session.target);
    const rest = left > 0 || !attempt ? `${left} left` : `the ${stepText(attempt)} can continue`;
    return { rest, trashed: [] };
  };
}

/** Editors show a text without its byte order mark, which is not to count as a change of the first line. */
function withoutMark(content: string): string {
  return content.replace(/^\uFEFF/, '');
}
