import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, withIcon } from '#base/user-text.ts';
import { asError, delay } from '#base/async.ts';
import type { Disposable } from '#base/disposable.ts';
import { baseName } from '#base/path.ts';
import { type BuildError, parseBuildErrors } from '#features/builds/build-errors.ts';
import { buildProblems, type ProblemLocation } from '#features/builds/build-problems.ts';
import { buildSource } from '#features/builds/build-staleness.ts';
import { ReportedFailures } from '#features/builds/reported-failures.ts';
import {
  branchKey,
  buildAppearance,
  type BuildFinished,
  type BuildState,
  type LinkedFolder,
  linkFileName,
} from '#features/platform/index.ts';
import { branchOnly } from '#features/folders/index.ts';
import { isEqual } from '#base/equal.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { PlacedError } from '#features/language/messages.ts';
import { BuiltProblems, modelFilePattern } from './built-problems.ts';
import { fileUri } from '#features/folders/vscode/index.ts';
import { problemAt } from '#shell/vscode/marks.ts';
import { setting } from '#shell/vscode/settings.ts';
import type { BuildDeps, BuildResultDeps } from './deps.ts';
import { execute, executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** Largest number of model files that are searched for an error's place. */
const mostFiles = 5000;
/** Longest wait for the language server, milliseconds: an error is shown at a place that was searched rather than late. */
const servedWithin = 3000;

/** Shows what finished builds say: the problems of the active branch, and a notification for news. */
export interface BuildResults extends Disposable {
  readonly show: (finished: BuildFinished) => Promise<void>;
  /** Removes the problems of the branch that was active. */
  readonly forget: () => void;
}

/** Needed by the first build that finishes: it is a bundle of its own. */
export function openBuildResults(services: BuildResultDeps): BuildResults {
  const problems = new BuiltProblems();
  const failures = new ReportedFailures();
  return {
    show: async (finished) => {
      // Decided at once: another build may end while the problems of this one are placed.
      const isNewFailure = finished.isNews && failures.isNews(branchKey(finished.target), finished.state);
      await showProblems(services, problems, finished);
      if (finished.isNews) await report(services, finished, isNewFailure);
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
  // A state that we do not know says nothing of the errors that are shown.
  if (!isActive(services, target) || state.phase === 'unknown') return;
  const isCurrent = problems.begin();
  if (state.phase === 'failed')
    await place(services, target, state, (...found) => isCurrent() && problems.set(...found));
}

function isActive({ session }: Pick<BuildDeps, 'session'>, target: BranchTarget): boolean {
  return isEqual(session.activeTarget(), branchOnly(target));
}

/** Reports a build that something here caused: a failure by a notification, once, and another end in the status bar. */
async function report(
  services: BuildResultDeps,
  { target, state }: BuildFinished,
  isNewFailure: boolean,
): Promise<void> {
  if (state.phase === 'failed') {
    if (isNewFailure && setting('build.notifyOnFailure')) await notify(services, target, isActive(services, target));
    return;
  }
  vscode.window.setStatusBarMessage(
    withIcon(buildAppearance(state).icon, text`${target.branchName}: ${buildAppearance(state).words}`),
    5000,
  );
}

async function place(
  services: BuildResultDeps,
  target: BranchTarget,
  state: BuildState,
  show: (...found: Parameters<BuiltProblems['set']>) => void,
): Promise<void> {
  const errors = parseBuildErrors(state.errorText ?? 'The platform gave no reason.');
  const source = buildSource(target.branchName);
  for (const folder of services.session.foldersOf(target)) {
    const [files, served] = await Promise.all([modelFiles(folder), servedLocations(services, folder, errors)]);
    const byFile = new Map<string, vscode.Diagnostic[]>();
    for (const { message, place: at } of buildProblems(errors, served, files.here)) {
      const range = at
        ? new vscode.Range(at.start.line, at.start.character, at.end.line, at.end.character)
        : new vscode.Range(0, 0, 0, 1);
      const path = at?.path ?? linkFileName;
      byFile.set(path, [...(byFile.get(path) ?? []), problemAt(range, message, 'error', source)]);
    }
    for (const [path, diagnostics] of byFile) {
      show(fileUri({ folderId: folder.folderId, path }), files.saved.get(path), diagnostics);
    }
  }
}

/** Where the language server says that errors belong; nowhere while it does not run or is busy. */
async function servedLocations(
  { placeErrors, logger }: BuildResultDeps,
  folder: LinkedFolder,
  errors: readonly BuildError[],
): Promise<readonly (ProblemLocation | undefined)[]> {
  const root = vscode.Uri.parse(folder.folderId, true);
  const uri = vscode.Uri.joinPath(root, folder.link?.modelPath ?? '').toString();
  try {
    const messages = errors.map(({ message }) => message);
    const ask = placeErrors({ uri, messages });
    const placed = await Promise.race([ask, delay(servedWithin).then(() => undefined)]);
    return (placed ?? []).map((each) => (each === null ? undefined : placeOfServed(root, each)));
  } catch (error) {
    logger.warn('The language server did not place build errors', { error: asError(error).message });
    return [];
  }
}

function placeOfServed(root: vscode.Uri, { uri, range }: PlacedError): ProblemLocation | undefined {
  const base = `${root.path.replace(/\/$/, '')}/`;
  const { path } = vscode.Uri.parse(uri);
  return path.startsWith(base) ? { path: path.slice(base.length), start: range.start, end: range.end } : undefined;
}

/** The texts of a folder's model by path. */
interface ModelTexts {
  /** As they are edited, because positions are shown in them. */
  readonly here: ReadonlyMap<string, string>;
  /** As they were saved, which is what a build is made of. */
  readonly saved: ReadonlyMap<string, string>;
}

async function modelFiles(folder: LinkedFolder): Promise<ModelTexts> {
  const root = vscode.Uri.parse(folder.folderId, true);
  const modelPath = folder.link?.modelPath ?? '';
  const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(root, modelPath), modelFilePattern);
  const found = await vscode.workspace.findFiles(pattern, '**/node_modules/**', mostFiles);
  found.sort((a, b) => (a.path < b.path ? -1 : 1));
  const here = new Map<string, string>();
  const saved = new Map<string, string>();
  for (const uri of found) {
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    const path = uri.path.slice(root.path.replace(/\/$/, '').length + 1);
    const text =
      open?.isDirty === false ? open.getText() : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    saved.set(path, text);
    here.set(path, open?.getText() ?? text);
  }
  return { here, saved };
}

async function notify({ builds, logger }: BuildDeps, target: BranchTarget, isActive: boolean): Promise<void> {
  const reason = firstLine(builds.stateOf(target)?.errorText);
  const showLog = 'Show Log';
  const showProblem = 'Show Problems';
  const message = `The build of “${target.branchName}” failed${reason === '' ? '.' : `: ${reason}`}`;
  // VS Code keeps an error with buttons until it is closed, also when the build is long mended; a warning hides on its own.
  // The active branch also has its problems and the status bar; for other branches only this message reports the result.
  const answer = isActive
    ? await vscode.window.showWarningMessage(textOf(message), showProblem, showLog)
    : await vscode.window.showErrorMessage(textOf(message), showLog);
  if (answer === showProblem) await executeBuiltIn('workbench.actions.view.problems');
  if (answer === showLog) {
    logger.error(`Build of ${target.branchName} failed:\n${builds.stateOf(target)?.errorText ?? ''}`);
    await execute('modelbench.showLog');
  }
}

function firstLine(text: string | undefined): string {
  const [first] = parseBuildErrors(text ?? '');
  if (!first) return '';
  const [line = ''] = first.message.split('\n');
  const file = first.fileName === undefined ? '' : ` (${baseName(first.fileName)})`;
  return `${line.length > 200 ? `${line.slice(0, 200)}…` : line}${file}`;
}
