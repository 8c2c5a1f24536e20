import { commonLines } from '#base/merge-lines.ts';
import type { FileTarget } from '#shell/targets.ts';
import type { ConflictChoice, ConflictSource, ConflictOpening, Resolved } from './conflict-source.ts';
import { stepText } from './git-attempt.ts';
import { conflictAt, type ResolveEditor, resolveInStep, type ResolvePorts, versionOn } from './resolve-git-conflict.ts';
import { gitConflictsOf } from './stopped-steps.ts';

/** The dependencies of {@link StepConflicts}. */
export interface StepConflictPorts {
  readonly steps: ResolvePorts;
  readonly editorOf: (file: FileTarget) => ResolveEditor;
  readonly exists: (file: FileTarget) => Promise<boolean>;
}

/** Conflicts of dev branches with another branch, after a Git step stopped at them. */
export class StepConflicts implements ConflictSource {
  readonly #ports: StepConflictPorts;

  constructor(ports: StepConflictPorts) {
    this.#ports = ports;
  }

  readonly open = async (file: FileTarget): Promise<ConflictOpening> => {
    const { steps, exists } = this.#ports;
    const theirs = await versionOn(steps, conflictAt(steps, file).from, file.path);
    if (!theirs || !(await exists(file))) return { kind: 'difference' };
    return { kind: 'merge', remote: theirs.hash, theirs: withoutMark(theirs.content), base: commonLines, inStep: true };
  };

  readonly resolve = async (file: FileTarget, choice: ConflictChoice): Promise<Resolved | undefined> => {
    const { steps, editorOf } = this.#ports;
    const session = await resolveInStep(steps, editorOf(file), file, choice);
    if (!session) return undefined;
    const left = gitConflictsOf(steps, session).length;
    const attempt = steps.attempts.of(session.target);
    const rest = left > 0 || !attempt ? `${left} left` : `the ${stepText(attempt)} can continue`;
    return { rest, trashed: [] };
  };
}

/** Removes the byte order mark: editors do not show it, and it must not count as a change of the first line. */
function withoutMark(content: string): string {
  return content.replace(/^\uFEFF/, '');
}
