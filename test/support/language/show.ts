import type { CodeAction, CompletionItem, Location, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { codeActions } from '#language-server/ide/actions/actions.ts';
import { completion } from '#language-server/ide/completion/completion.ts';
import { problemsIn } from '#language-server/ide/diagnostics.ts';
import type { Preview } from '#language-server/ide/actions/previewed.ts';
import { hover } from '#language-server/ide/hover.ts';
import { definition, references } from '#language-server/ide/navigation/navigation.ts';
import { renameAt } from '#language-server/ide/navigation/rename.ts';
import { LineIndex } from '#base/line-index.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import type { Drawn } from './drawn.ts';
import { type Fixture, fixture } from './model.ts';

/**
 * A model for the functions below, which draw complete responses of the language server: a text (see `filesIn`) or an opened
 * model.
 */
type Model = string | Fixture;

const drawn = (text: string): Drawn => ({ drawn: text });
const opened = (model: Model): Fixture => (typeof model === 'string' ? fixture(model) : model);

/** Draws all problems of a model: each line with problems, and markers below it. */
export function problems(model: Model): Drawn {
  const { index, file } = opened(model);
  const files = [...index.files()].map(({ path }) => file(pathOf(path)));
  return drawFiles(files.map((each) => [pathOf(each.uri), problemsOfFile(each)]));
}

/** Draws the labels of a completion list in the order in which the user sees them. */
export function completions(model: Model, yieldToYaml = false): Drawn {
  return drawn(wrapped(completionItems(model, yieldToYaml).map(({ label }) => label)));
}

/** Returns the items of a completion list in the order in which the user sees them. */
export function completionItems(model: Model, yieldToYaml = false): readonly CompletionItem[] {
  const { opened: document, offset } = opened(model);
  return completion(document, offset, yieldToYaml).items.toSorted((a, b) =>
    (a.sortText ?? a.label).localeCompare(b.sortText ?? b.label),
  );
}

/** Draws the hover at the cursor. */
export function hovered(model: Model, yieldToYaml = false): Drawn {
  const { opened: document, offset } = opened(model);
  const contents = hover(document, offset, yieldToYaml)?.contents;
  if (contents === undefined) return drawn('nothing');
  if (typeof contents !== 'object' || !('value' in contents)) throw new Error('A hover that is not Markdown.');
  return drawn(contents.value);
}

/** Draws the definition of the symbol at the cursor: file, line, and the selected text. */
export function definitions(model: Model): Drawn {
  const all = opened(model);
  const found = definition(all.opened, all.offset, all.workspace).map(({ targetUri, targetSelectionRange }) => ({
    uri: targetUri,
    range: targetSelectionRange,
  }));
  return drawLocations(found, all);
}

/** Draws all uses of the symbol at the cursor, including its declaration: file, line and text. */
export function uses(model: Model): Drawn {
  const all = opened(model);
  return drawLocations(references(all.opened, all.offset, all.workspace, true), all);
}

/** Draws the effect of a rename at the cursor: the lines before and after in every file, and moved files. */
export function renamed(model: Model, name: string, canRenameFiles = false): Drawn {
  const all = opened(model);
  return changes(all, renameAt(all.opened, all.offset, name, all.workspace, canRenameFiles));
}

/** Draws the reason for which a rename at the cursor is refused. */
export function renameRefusal(model: Model, name = 'other'): Drawn {
  try {
    return drawn(`not refused\n${renamed(model, name, true).drawn}`);
  } catch (error) {
    return drawn(error instanceof Error ? error.message : String(error));
  }
}

/** Draws the titles of all actions in a file, or at its cursor. */
export function actionTitles(model: Model, where: Where = 'file'): Drawn {
  return lines(actionsIn(model, where).map(({ title }) => title));
}

/** Draws the effect of an action; `title` is its title or a unique part of it. */
export function afterAction(model: Model, title: string, where: Where = 'file'): Drawn {
  const all = opened(model);
  return changes(all, actionWith(all, title, where).edit ?? {});
}

/** Returns the text of the opened file after an action. */
export function textAfter(model: Model, title: string, where: Where = 'file'): string {
  const all = opened(model);
  const edits = actionWith(all, title, where).edit?.changes?.[all.opened.uri] ?? [];
  return applied(all.opened, edits);
}

/** Returns all actions in the opened file, or at its cursor. */
export function actionsIn(
  model: Model,
  where: Where = 'file',
  severity = {},
  preview: Preview = 'none',
): readonly CodeAction[] {
  const { opened: document, offset, workspace } = opened(model);
  const at = document.positions.positionAt(offset);
  const whole = { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } };
  return codeActions(document, where === 'file' ? whole : { start: at, end: at }, undefined, {
    workspace,
    canCreateFiles: where === 'cursor',
    preview,
    severity,
  });
}

/** The whole file, or its cursor; only with `cursor` can the client create files. */
type Where = 'file' | 'cursor' | 'cursor, without new files';

/** Returns the text of a file after edits. */
export function applied({ file, positions }: Opened, edits: readonly TextEdit[]): string {
  return edits
    .map(({ range, newText }) => ({
      start: positions.offsetAt(range.start),
      end: positions.offsetAt(range.end),
      newText,
    }))
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, newText }) => text.slice(0, start) + newText + text.slice(end), file.text);
}

/** Draws entries one per line. */
export function lines(entries: readonly string[]): Drawn {
  return drawn(entries.length === 0 ? 'nothing' : entries.join('\n'));
}

/** Draws the effect of an edit, file by file. */
function changes(model: Fixture, edit: WorkspaceEdit): Drawn {
  const moves = (edit.documentChanges ?? []).flatMap((change): [string, string][] =>
    'kind' in change && change.kind === 'rename' ? [[pathOf(change.oldUri), `moved to ${pathOf(change.newUri)}`]] : [],
  );
  const texts = [...filesAfter(model, edit)].map(([path, text]): [string, string] => [
    path,
    changedLines(textOf(model, path), text),
  ]);
  return drawFiles([...texts, ...moves], pathOf(model.opened.uri));
}

/** Returns the texts of the files that an edit changes or creates, by path. */
export function filesAfter(model: Fixture, edit: WorkspaceEdit): ReadonlyMap<string, string> {
  const edits = [
    ...Object.entries(edit.changes ?? {}),
    ...(edit.documentChanges ?? []).flatMap((change): [string, TextEdit[]][] =>
      'edits' in change
        ? [[change.textDocument.uri, change.edits.flatMap((each) => ('newText' in each ? [each] : []))]]
        : [],
    ),
  ];
  return new Map(
    edits.map(([uri, own]): [string, string] => {
      const isNew = !model.index.file(uri);
      return [pathOf(uri), isNew ? own.map(({ newText }) => newText).join('') : applied(model.file(pathOf(uri)), own)];
    }),
  );
}

/** Returns the current text of a file; an empty one if it does not exist. */
const textOf = (model: Fixture, path: string): string =>
  model.index.file(`memory:///model/${path}`) ? model.file(path).file.text : '';

function actionWith(model: Fixture, title: string, where: Where): CodeAction {
  const all = actionsIn(model, where);
  const [found] = all.filter((action) => action.title.includes(title));
  if (!found) throw new Error(`No action “${title}”, only: ${all.map((action) => action.title).join(', ')}`);
  return found;
}

const pathOf = (uri: string): string => uri.replace('memory:///model/', '');

function drawLocations(found: readonly Location[], { texts }: Fixture): Drawn {
  return lines(
    found.map(({ uri, range }) => {
      const text = texts.get(pathOf(uri)) ?? '';
      const positions = new LineIndex(text);
      const marked = text.slice(positions.offsetAt(range.start), positions.offsetAt(range.end));
      return `${pathOf(uri)}:${range.start.line + 1} ${marked}`;
    }),
  );
}

function problemsOfFile(document: Opened): string {
  const byLine = Map.groupBy(problemsIn(document), ({ start }) => document.positions.positionAt(start).line);
  const texts = document.file.text.split('\n');
  return [...byLine]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([line, found]) => {
      const gutter = `${line + 1} `;
      const marks = found
        .toSorted((a, b) => a.start - b.start)
        .map(({ problem, severity, start, end }) => {
          const from = document.positions.positionAt(start).character;
          const to = Math.min(from + Math.max(end - start, 1), (texts[line] ?? '').length);
          const mark = ' '.repeat(from) + '~'.repeat(Math.max(to - from, 1));
          return `${' '.repeat(gutter.length)}${mark} ${severity} ${problem.code}: ${problem.message}`;
        });
      return [`${gutter}${texts[line] ?? ''}`, ...marks];
    })
    .join('\n');
}

/** Returns the lines that differ, with their numbers before (`-`) and after (`+`). */
function changedLines(before: string, after: string): string {
  const [old, now] = [before === '' ? [] : before.split('\n'), after.split('\n')];
  const changed: string[] = [];
  let [a, b] = [0, 0];
  while (a < old.length || b < now.length) {
    if (a < old.length && old[a] === now[b]) [a, b] = [a + 1, b + 1];
    else {
      const [nextOld, nextNow] = nextCommon(old, a, now, b);
      changed.push(
        ...old.slice(a, nextOld).map((line, at) => `${a + at + 1} - ${line}`),
        ...now.slice(b, nextNow).map((line, at) => `${b + at + 1} + ${line}`),
      );
      [a, b] = [nextOld, nextNow];
    }
  }
  return changed.join('\n');
}

/** Returns the nearest next pair of equal lines. */
function nextCommon(old: readonly string[], a: number, now: readonly string[], b: number): readonly [number, number] {
  for (let distance = 1; distance < old.length - a + now.length - b; distance++)
    for (let skipped = 0; skipped <= distance; skipped++) {
      const [i, j] = [a + distance - skipped, b + skipped];
      if (i < old.length && j < now.length && old[i] === now[j]) return [i, j];
    }
  return [old.length, now.length];
}

/** Draws texts with their paths above them; a single file has no path, unless it is not the expected one. */
function drawFiles(files: readonly (readonly [string, string])[], expected = files[0]?.[0]): Drawn {
  const shown = files.filter(([, text]) => text !== '');
  if (shown.length === 0) return drawn('nothing');
  if (files.length === 1 && files[0]?.[0] === expected) return drawn(shown[0]?.[1] ?? '');
  return drawn(shown.map(([path, text]) => `${path}\n${text}`).join('\n'));
}

/** Draws words in rows of at most a hundred characters. */
function wrapped(words: readonly string[]): string {
  if (words.length === 0) return 'nothing';
  const rows: string[] = [''];
  for (const word of words) {
    const row = rows.at(-1) ?? '';
    if (row !== '' && row.length + word.length > 98) rows.push(word);
    else rows[rows.length - 1] = row === '' ? word : `${row}, ${word}`;
  }
  return rows.join(',\n');
}
