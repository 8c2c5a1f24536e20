import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { isEqual } from '#base/equal.ts';
import { passage } from '#base/user-text.ts';
import { linesDown, saysSame, saysUnreadable, wholeLine } from '#features/builds/build-staleness.ts';

/** Appended to a problem whose file has changed since the build. */
const stale = 'Reported for an earlier version of this file.';

/** Matches the files that a model can consist of. */
export const modelFilePattern = '**/*.{yml,yaml,jinja,js,ts,py}';

interface BuiltFile {
  readonly uri: vscode.Uri;
  /** The built text; if it is not known, the problems stay unchanged. */
  readonly text: string | undefined;
  readonly problems: readonly vscode.Diagnostic[];
  /** How many lines edits have moved each problem down. */
  down: readonly number[];
  /** Whether each problem is hidden because a local problem reports the same. */
  repeated: readonly boolean[];
}

/**
 * The problems of the last build, with the built text of each file. While the current text differs from the built one, the
 * problems are shown as information for their whole line, because it is unknown until the next build whether and where they still
 * apply. When the text is the same again (Undo, Git), the original problems return.
 */
export class BuiltProblems implements vscode.Disposable {
  readonly #shown = vscode.languages.createDiagnosticCollection('modelbench.build');
  readonly #files = new Map<string, BuiltFile>();
  readonly #watcher = vscode.workspace.createFileSystemWatcher(modelFilePattern);
  readonly #owned: readonly vscode.Disposable[];
  #round = 0;

  constructor() {
    this.#owned = [
      this.#shown,
      this.#watcher,
      this.#watcher.onDidChange((uri) => this.#check(uri)),
      this.#watcher.onDidCreate((uri) => this.#check(uri)),
      this.#watcher.onDidDelete((uri) => this.#check(uri)),
      vscode.workspace.onDidChangeTextDocument((event) => this.#edited(event)),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#compared(uris)),
    ];
  }

  /** Removes all problems and starts a new round; the returned function checks whether it is still the current one. */
  begin(): () => boolean {
    this.#round += 1;
    const round = this.#round;
    this.#files.clear();
    this.#shown.clear();
    return () => round === this.#round;
  }

  /** Shows the problems of a file at their positions in the current text. */
  set(uri: vscode.Uri, text: string | undefined, problems: readonly vscode.Diagnostic[]): void {
    const file = { uri, text, problems, down: problems.map(() => 0), repeated: repeatedIn(uri, problems) };
    this.#files.set(uri.toString(), file);
    this.#show(file, openText(uri) ?? text);
  }

  dispose(): void {
    this.#files.clear();
    for (const item of this.#owned) item.dispose();
  }

  #edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const file = this.#files.get(document.uri.toString());
    if (!file || contentChanges.length === 0) return;
    file.down = file.problems.map(({ range }, at) => {
      const down = file.down[at] ?? 0;
      return down + linesDown(lower(range, down), contentChanges);
    });
    this.#show(file, document.getText());
  }

  /** Hides or shows build problems after the local problems of files changed. */
  #compared(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) {
      const file = this.#files.get(uri.toString());
      if (!file) continue;
      const repeated = repeatedIn(uri, file.problems);
      if (isEqual(file.repeated, repeated)) continue;
      file.repeated = repeated;
      this.#show(file, openText(uri) ?? file.text);
    }
  }

  /** Updates a file that was written or deleted outside the editor; open editors report their own changes. */
  #check(uri: vscode.Uri): void {
    const file = this.#files.get(uri.toString());
    if (!file || openText(uri) !== undefined) return;
    Promise.resolve(vscode.workspace.fs.readFile(uri)).then(
      (bytes) => this.#changed(file, decodedText(bytes)),
      () => this.#changed(file, undefined),
    );
  }

  #changed(file: BuiltFile, text: string | undefined): void {
    if (this.#files.get(file.uri.toString()) !== file) return;
    if (text === undefined) this.#shown.delete(file.uri);
    else this.#show(file, text);
  }

  #show(file: BuiltFile, text: string | undefined): void {
    const isBuilt = file.text === undefined || plain(file.text) === plain(text ?? '');
    if (isBuilt) file.down = file.problems.map(() => 0);
    const shown = file.problems.flatMap((problem, at) => {
      if (file.repeated[at] === true) return [];
      return isBuilt ? problem : outdated(problem, lineOf(problem.range, file.down[at] ?? 0, text));
    });
    if (shown.length > 0) this.#shown.set(file.uri, shown);
    else this.#shown.delete(file.uri);
  }
}

function repeatedIn(uri: vscode.Uri, problems: readonly vscode.Diagnostic[]): readonly boolean[] {
  const ours = vscode.languages.getDiagnostics(uri);
  const isUnreadable = ours.some(saysUnreadable);
  return problems.map((problem) => isUnreadable || ours.some((own) => saysSame(own, problem)));
}

function openText(uri: vscode.Uri): string | undefined {
  const wanted = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === wanted)?.getText();
}

/** Normalizes line ends, because an editor writes them all alike. */
function plain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function lower({ start, end }: vscode.Range, lines: number): vscode.Range {
  const line = (at: number): number => Math.max(0, at + lines);
  return new vscode.Range(line(start.line), start.character, line(end.line), end.character);
}

/** Returns the range of the whole line: its words may have changed, so a range within it could be wrong. */
function lineOf(range: vscode.Range, down: number, text: string | undefined): vscode.Range {
  const { start, end } = wholeLine(text ?? '', lower(range, down).start.line);
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function outdated({ message, source }: vscode.Diagnostic, range: vscode.Range): vscode.Diagnostic {
  const copy = new vscode.Diagnostic(range, passage(`${message}\n${stale}`), vscode.DiagnosticSeverity.Information);
  if (source !== undefined) copy.source = source;
  return copy;
}
