import { baseName } from '#base/path.ts';
import { buildAppearance, type BuildFinished } from '#features/platform/index.ts';
import { parseBuildErrors } from '#model/engine/build-errors.ts';

/** How the end of a build is reported: a failure as a notification, any other end in the status bar. */
export type BuildReport =
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ended'; readonly icon: string; readonly text: string };

/**
 * Returns how to report a build that this extension caused; `undefined` for no report. `notifies`: whether the failure is new and
 * notifications of failures are enabled.
 */
export function buildReport({ target, state }: BuildFinished, notifies: boolean): BuildReport | undefined {
  const { branchName } = target;
  // A branch that is not active has no build.
  if (state.phase === 'inactive') return undefined;
  if (state.phase !== 'failed') {
    const { icon, label } = buildAppearance(state);
    return { kind: 'ended', icon, text: `${branchName}: ${label}` };
  }
  if (!notifies) return undefined;
  const reason = firstLine(state.errorText);
  return { kind: 'failed', message: `The build of “${branchName}” failed${reason === '' ? '.' : `: ${reason}`}` };
}

const mostCharacters = 200;

function firstLine(text: string | undefined): string {
  const [first] = parseBuildErrors(text ?? '');
  if (!first) return '';
  const [line = ''] = first.message.split('\n');
  const file = first.fileName === undefined ? '' : ` (${baseName(first.fileName)})`;
  return `${line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line}${file}`;
}
