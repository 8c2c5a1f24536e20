import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf, withIcon } from '#base/user-text.ts';
import { systemClock } from '#base/clock.ts';
import { decodedText } from '#base/decoded-text.ts';
import type { Disposable } from '#base/disposable.ts';
import type { ProblemLocation } from '#features/builds/build-problems.ts';
import { buildReport } from '#features/builds/build-report.ts';
import { type BuiltTexts, placedErrors } from '#features/builds/placed-errors.ts';
import { buildSource } from '#features/builds/build-staleness.ts';
import { ReportedFailures } from '#features/builds/reported-failures.ts';
import { branchKey, type BuildFinished, type LinkedFolder } from '#features/platform/index.ts';
import { branchOnly } from '#features/folders/index.ts';
import { isEqual } from '#base/equal.ts';
import { pathInside } from '#base/path.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { PlacedError } from '#features/language/messages.ts';
import { BuiltProblems, modelFilePattern } from './built-problems.ts';
import { fileUri } from '#features/folders/vscode/index.ts';
import { problemAt } from '#shell/vscode/marks.ts';
import { setting } from '#shell/vscode/settings.ts';
import type { BuildDeps, BuildResultDeps } from './deps.ts';
import { execute, executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** The maximum number of model files that are searched for the position of an error. */
const mostFiles = 5000;

/**
 * Shows the results of finished builds: the problems of the active branch, and notifications of builds that this extension
 * caused.
 */
export interface BuildResults extends Disposable {
  readonly show: (finished: BuildFinished) => Promise<void>;
  /** Removes the problems of the previously active branch. */
  readonly forget: () => void;
}

/** Opens the results. Their code is a separate bundle that the first finished build loads. */
export function openBuildResults(services: BuildResultDeps): BuildResults {
  const problems = new BuiltProblems();
  const failures = new ReportedFailures();
  let shown: Disposable | undefined;
  return {
    show: async (finished) => {
      // Decide now: another build may end while the problems of this one are being located.
      const isNewFailure = finished.isNews && failures.isNews(branchKey(finished.target), finished.state);
      await showProblems(services, problems, finished);
      if (!finished.isNews) return;
      // “built” must not stand beside a later failure.
      shown?.dispose();
      shown = await report(services, finished, isNewFailure);
    },
    forget: () => void problems.begin(),
    dispose: () => problems.dispose(),
  };
}

async function showProblems(
  services: BuildResultDeps,
  problems: BuiltProblems,
  { target, state }: BuildFinished,
): Promise<void> {
  // An unknown state does not invalidate the errors that are shown.
  if (!isActive(services, target) || state.phase === 'unknown') return;
  const isCurrent = problems.begin();
  if (state.phase !== 'failed') return;
  const source = buildSource(target.branchName);
  for (const folder of services.session.foldersOf(target)) {
    const files = await placedErrors(
      { clock: systemClock, logger: services.logger },
      { texts: async () => modelFiles(folder), serve: async (messages) => servedLocations(services, folder, messages) },
      state.errorText,
    );
    if (!isCurrent()) return;
    for (const { path, built, problems: found } of files) {
      const shown = found.map(({ message, location }) => problemAt(rangeOf(location), message, 'error', source));
      problems.set(fileUri({ folderId: folder.folderId, path }), built, shown);
    }
  }
}

function rangeOf(location: ProblemLocation | undefined): vscode.Range {
  if (!location) return new vscode.Range(0, 0, 0, 1);
  const { start, end } = location;
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function isActive({ session }: Pick<BuildDeps, 'session'>, target: BranchTarget): boolean {
  return isEqual(session.activeTarget(), branchOnly(target));
}

/** Reports a build that this extension caused; resolves to its message in the status bar. */
async function report(
  services: BuildResultDeps,
  finished: BuildFinished,
  isNewFailure: boolean,
): Promise<Disposable | undefined> {
  const { target } = finished;
  const found = buildReport(finished, isNewFailure && setting('build.notifyOnFailure'));
  if (found?.kind === 'failed') await notify(services, target, found.message);
  else if (found) return vscode.window.setStatusBarMessage(withIcon(found.icon, textOf(found.text)), 5000);
  return undefined;
}

/** Resolves to the positions that the language server finds; an empty list while it is not running. */
async function servedLocations(
  { locateErrors }: BuildResultDeps,
  folder: LinkedFolder,
  messages: readonly string[],
): Promise<readonly (ProblemLocation | undefined)[]> {
  const root = vscode.Uri.parse(folder.folderId, true);
  const uri = vscode.Uri.joinPath(root, folder.link?.modelPath ?? '').toString();
  const placed = await locateErrors({ uri, messages });
  return (placed ?? []).map((each) => (each === null ? undefined : servedLocation(root, each)));
}

function servedLocation(root: vscode.Uri, { uri, range }: PlacedError): ProblemLocation | undefined {
  const base = `${root.path.replace(/\/$/, '')}/`;
  const { path } = vscode.Uri.parse(uri);
  return path.startsWith(base) ? { path: path.slice(base.length), start: range.start, end: range.end } : undefined;
}

async function modelFiles(folder: LinkedFolder): Promise<BuiltTexts> {
  const root = vscode.Uri.parse(folder.folderId, true);
  const modelPath = folder.link?.modelPath ?? '';
  const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(root, modelPath), modelFilePattern);
  const found = await vscode.workspace.findFiles(pattern, '**/node_modules/**', mostFiles);
  found.sort((a, b) => (a.path < b.path ? -1 : 1));
  const here = new Map<string, string>();
  const saved = new Map<string, string>();
  for (const uri of found) {
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    const path = pathInside(uri.path, root.path) ?? uri.path;
    const text = open?.isDirty === false ? open.getText() : decodedText(await vscode.workspace.fs.readFile(uri));
    saved.set(path, text);
    here.set(path, open?.getText() ?? text);
  }
  return { here, saved };
}

async function notify(deps: BuildDeps, target: BranchTarget, message: string): Promise<void> {
  const { builds, logger } = deps;
  const showLog = 'Show Log';
  const showProblem = 'Show Problems';
  // VS Code shows an error with buttons until the user closes it, even long after the build succeeds again; a warning hides on
  // its own. The active branch also has its problems and the status bar; for other branches only this message reports the result.
  const answer = isActive(deps, target)
    ? await vscode.window.showWarningMessage(textOf(message), showProblem, showLog)
    : await vscode.window.showErrorMessage(textOf(message), showLog);
  if (answer === showProblem) await executeBuiltIn('workbench.actions.view.problems');
  if (answer === showLog) {
    logger.error(`Build of ${target.branchName} failed:\n${builds.stateOf(target)?.errorText ?? ''}`);
    await execute('modelbench.showLog');
  }
}
