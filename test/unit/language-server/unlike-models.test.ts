import { describe, expect, it } from 'vitest';
import { type Location, type Range, ResponseError, type TextEdit, type WorkspaceEdit } from 'vscode-languageserver';
import { defaultLanguageSettings } from '#features/language/messages.ts';
import { codeActions } from '#language-server/ide/actions/actions.ts';
import { completion } from '#language-server/ide/completion/completion.ts';
import { format, indentNewLine } from '#language-server/ide/format.ts';
import { inlayHints, signatureHelp } from '#language-server/ide/hints.ts';
import { hover } from '#language-server/ide/hover.ts';
import { codeLenses } from '#language-server/ide/lenses.ts';
import { found } from '#language-server/ide/locations.ts';
import { definition, highlights, references, workspaceSymbols } from '#language-server/ide/navigation/navigation.ts';
import { prepareRename, renameAt } from '#language-server/ide/navigation/rename.ts';
import { tokensIn } from '#language-server/ide/tokens/semantic-tokens.ts';
import { documentLinks, foldingRanges, selectionRange } from '#language-server/ide/structure.ts';
import { documentSymbols } from '#language-server/ide/navigation/symbols.ts';
import { prepareExtends } from '#language-server/ide/navigation/type-hierarchy.ts';
import { prepareUsedBy } from '#language-server/ide/navigation/used-by.ts';
import { subjectName } from '#model/usages/rename.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import { type Fixture, textIn } from '#support/language/model.ts';
import { renderedFixture } from '#support/language/rendered.ts';
import { filesAfter } from '#support/language/show.ts';
import { FILE_STYLES, HALF_MODELS, UNLIKE_MODELS } from '#support/language/unlike-models.ts';

const filesOf = (model: Fixture): readonly Opened[] =>
  [...model.index.files()].map(({ path }) => model.file(path.replace('memory:///model/', '')));
const textAt = (model: Fixture, { uri, range }: Location): string =>
  textIn(model.file(uri.replace('memory:///model/', '')), range);

/** Where something that can be looked up begins: each word of a file. */
const wordsOf = ({ file }: Opened): readonly number[] => [...file.text.matchAll(/\w+/g)].map(({ index }) => index);

/** Whether a range lies in a text, and both ends are places of it. */
function isInText({ positions }: Opened, { start, end }: Range): boolean {
  const [from, to] = [positions.offsetAt(start), positions.offsetAt(end)];
  const isSame = (a: Range['start'], b: Range['start']): boolean => a.line === b.line && a.character === b.character;
  return from <= to && isSame(positions.positionAt(from), start) && isSame(positions.positionAt(to), end);
}

/** Returns the ranges of an answer. */
function rangesIn(value: unknown): readonly Range[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('start' in value && 'end' in value) return [value as Range];
  return Object.values(value).flatMap(rangesIn);
}

const WHOLE = { start: { line: 0, character: 0 }, end: { line: 1_000_000, character: 0 } };

/** Every answer about a file as a whole. */
function answersAbout(opened: Opened, { workspace }: Fixture): readonly unknown[] {
  return [
    foldingRanges(opened).map(({ startLine, endLine }) => ({
      start: { line: startLine, character: 0 },
      end: { line: endLine, character: 0 },
    })),
    documentSymbols(opened),
    documentLinks(opened),
    inlayHints(opened, WHOLE).map(({ position }) => ({ start: position, end: position })),
    codeLenses(opened, { ...defaultLanguageSettings, lensForUnused: true }),
    format(opened),
    codeActions(opened, WHOLE, undefined, { workspace, canCreateFiles: false, preview: 'none', severity: {} }).map(
      ({ edit }) => edit?.changes?.[opened.uri],
    ),
    coloured(opened),
  ];
}

/** The ranges of a file's tokens. Each begins behind the one before it and ends in its line. */
function coloured(opened: Opened): readonly Range[] {
  const { data } = tokensIn(opened, WHOLE);
  const ranges: Range[] = [];
  let [line, character] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [lines = 0, characters = 0, length = 0] = data.slice(at, at + 3);
    line += lines;
    character = lines === 0 ? character + characters : characters;
    const last = ranges.at(-1);
    if (last?.end.line === line) expect(character).toBeGreaterThanOrEqual(last.end.character);
    ranges.push({ start: { line, character }, end: { line, character: character + length } });
  }
  return ranges;
}

/** Every answer about a position. */
function answersAt(opened: Opened, offset: number, { workspace }: Fixture): readonly unknown[] {
  const position = opened.positions.positionAt(offset);
  return [
    hover(opened, offset),
    signatureHelp(opened, offset),
    indentNewLine(opened, position),
    selectionRange(opened, position),
    completion(opened, offset, false).items.map(({ textEdit }) => textEdit),
    prepareRename(opened, offset),
    highlights(opened, offset, workspace),
    prepareUsedBy(opened, offset, workspace)?.filter(({ uri }) => uri === opened.uri),
    prepareExtends(opened, offset, workspace)?.filter(({ uri }) => uri === opened.uri),
  ];
}

const modelsIn = (models: Readonly<Record<string, string>>): readonly [string, Fixture][] =>
  Object.entries(models).flatMap(([name, text]) =>
    Object.entries(FILE_STYLES).map(([style, written]): [string, Fixture] => [
      `${name}, ${style}`,
      renderedFixture(written(text)),
    ]),
  );

const unlike = modelsIn(UNLIKE_MODELS);
const windows = unlike.filter(([name]) => name.includes('Windows'));

describe('answers about a model', () => {
  it.each([...unlike, ...modelsIn(HALF_MODELS)])('lie in its text: %s', (name, model) => {
    // Different places of each model: all of them would take seconds.
    const step = 67 + (name.length % 5);
    for (const opened of filesOf(model)) {
      const outside = (answers: readonly unknown[]): readonly Range[] =>
        rangesIn(answers).filter((range) => !isInText(opened, range));
      expect(outside(answersAbout(opened, model))).toEqual([]);
      for (let offset = 0; offset <= opened.file.text.length; offset += step)
        expect([offset, ...outside(answersAt(opened, offset, model))]).toEqual([offset]);
    }
  });
});

describe('a name in a model', () => {
  it.each(unlike)('leads to its definition, and from there back to each use: %s', (_, model) => {
    let checked = 0;
    for (const opened of filesOf(model)) {
      for (const offset of wordsOf(opened)) {
        const name = prepareRename(opened, offset);
        if (!name || found(opened, offset)?.referent?.is === 'self') continue;
        checked++;
        const origin = { uri: opened.uri, range: name.range };
        const uses = references(opened, offset, model.workspace, true);
        expect([textAt(model, origin), uses]).toEqual([textAt(model, origin), expect.arrayContaining([origin])]);
        expect(highlights(opened, offset, model.workspace).map(({ range }) => range)).toEqual(
          uses.filter(({ uri }) => uri === opened.uri).map(({ range }) => range),
        );
        const names = [name.placeholder, ...(found(opened, offset)?.alike ?? []).map(subjectName)];
        const wrong = uses.filter((use) => !names.some((each) => isNamed(textAt(model, use), each)));
        expect(wrong.map((use) => [name.placeholder, textAt(model, use)])).toEqual([]);
        const targets = definition(opened, offset, model.workspace);
        expect(targets.length).toBeGreaterThan(0);
        for (const { targetUri, targetSelectionRange } of targets)
          expect(uses).toContainEqual({ uri: targetUri, range: targetSelectionRange });
      }
    }
    expect(checked).toBeGreaterThan(8);
  });

  it.each(windows)('is renamed everywhere, and the model is as it was once it is renamed back: %s', (_, model) => {
    const seen = new Set<string>();
    let renamed = 0;
    for (const opened of filesOf(model)) {
      for (const offset of wordsOf(opened)) {
        const name = prepareRename(opened, offset);
        const uses = name ? references(opened, offset, model.workspace, true) : [];
        const key = JSON.stringify([uses, found(opened, offset)?.alike.length]);
        if (!name || seen.has(key)) continue;
        seen.add(key);
        const after = afterRename(model, opened, offset, 'fresh_name');
        if (!after) continue;
        renamed++;
        const there = renderedFixture(joined(after));
        const [at] = filesOf(there).flatMap((each): readonly (readonly [Opened, number])[] => {
          const found = wordsOf(each).find((word) => prepareRename(each, word)?.placeholder === 'fresh_name');
          return found === undefined ? [] : [[each, found] as const];
        });
        if (!at) throw new Error(`No fresh_name is left of ${name.placeholder}.`);
        expect(afterRename(there, ...at, name.placeholder)).toEqual(model.texts);
      }
    }
    expect(renamed).toBeGreaterThan(2);
  });

  it.each(unlike)('is found by it in the workspace: %s', (_, model) => {
    for (const { name, location } of workspaceSymbols([model.opened.root], '', model.workspace))
      expect(isNamed(textAt(model, location), name)).toBe(true);
  });
});

/** Whether a text is a name, ends with one behind a prefix, begins with one that is a prefix, or is what a template makes it of. */
function isNamed(text: string, name: string): boolean {
  return text.endsWith(name) || text.startsWith(`${name}_`) || /\{\{.*\}\}/.test(text);
}

/** The texts of a model after a rename; undefined if it is refused. */
function afterRename(
  model: Fixture,
  opened: Opened,
  offset: number,
  name: string,
): ReadonlyMap<string, string> | undefined {
  const edit = renamed(() => renameAt(opened, offset, name, model.workspace, false));
  if (!edit) return undefined;
  for (const change of edit.documentChanges ?? []) if ('edits' in change) expectApart(change.edits as TextEdit[]);
  const after = filesAfter(model, edit);
  return new Map([...model.texts].map(([path, text]) => [path, after.get(path) ?? text]));
}

function renamed(rename: () => WorkspaceEdit): WorkspaceEdit | undefined {
  try {
    return rename();
  } catch (error) {
    // A refusal with its reason.
    if (error instanceof ResponseError) return undefined;
    throw error;
  }
}

/** No two edits touch the same text. */
function expectApart(edits: readonly TextEdit[]): void {
  const starts = edits.map(({ range: { start } }) => `${start.line}:${start.character}`);
  expect(new Set(starts).size).toBe(starts.length);
}

const joined = (texts: ReadonlyMap<string, string>): string =>
  [...texts].map(([path, text]) => `# file: ${path}\n${text}`).join('');
