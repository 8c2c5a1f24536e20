import {
  type Hover,
  type Location,
  type LocationLink,
  MarkupKind,
  type Range,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import {
  templateNamed,
  templateOccurrences,
  templateSymbolAt,
  templateSymbolsAt,
} from '#model/templates/template-names.ts';
import type { TemplateSymbol } from '#model/templates/read-template-names.ts';
import { TEMPLATE_WORDS } from '#model/templates/nested-tokens.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened, Workspace } from '#language-server/workspace/workspace.ts';
import { codeBlock } from '#language-server/ide/markdown-text.ts';
import { pathInModel } from '#language-server/ide/locations.ts';
import { REQUEST_FAILED } from '#language-server/ide/request-failed.ts';

/** Describes the template's name under the cursor; `null` if no template declares it. */
export function templateHover(opened: Opened, offset: number): Hover | null {
  const found = templateSymbolAt(opened.file, offset, opened.root.index);
  if (!found) return null;
  const { symbol } = found;
  const lines = [`**${symbol.name}** · ${symbol.kind}`, ...described(symbol)];
  if (symbol.file !== opened.file) lines.push(`Defined in ${pathInModel(symbol.file.path, opened)}`);
  const range = rangeOf(opened.positions, found.start, found.end);
  return { contents: { kind: MarkupKind.Markdown, value: lines.join('\n\n') }, range };
}

function described({ kind, name, text }: TemplateSymbol): readonly string[] {
  if (text === '') return [];
  switch (kind) {
    case 'macro':
      return [codeBlock('jinja', `${name}${text}`).join('\n')];
    case 'loop variable':
      return [codeBlock('jinja', `for ${name} in ${text}`).join('\n')];
    case 'variable':
      return [codeBlock('jinja', `${name} = ${text}`).join('\n')];
    default:
      return [`From \`${text.replaceAll('`', '')}\``];
  }
}

/** Returns where the name under the cursor is declared, also through imports. A path leads to its template. */
export function templateDefinition(opened: Opened, offset: number, workspace: Workspace): LocationLink[] {
  const name = templateSymbolAt(opened.file, offset, opened.root.index);
  const path = name ? undefined : pathAt(opened, offset);
  const origin = name ?? path;
  const target = name?.symbol ?? (path && { file: path.file, start: 0, end: 0 });
  if (!origin || !target) return [];
  const range = rangeOf(workspace.positionsOf(target.file), target.start, target.end);
  return [
    {
      originSelectionRange: rangeOf(opened.positions, origin.start, origin.end),
      targetUri: target.file.path,
      targetRange: range,
      targetSelectionRange: range,
    },
  ];
}

/** Returns every location that names what is under the cursor; `undefined` if that is not a name of a template. */
export function templateReferences(
  opened: Opened,
  offset: number,
  workspace: Workspace,
  includeDeclaration: boolean,
): Location[] | undefined {
  const found = templateSymbolAt(opened.file, offset, opened.root.index);
  if (!found) return undefined;
  return templateOccurrences(found.symbol, opened.root.index)
    .slice(includeDeclaration ? 0 : 1)
    .map(({ file, start, end }) => ({ uri: file.path, range: rangeOf(workspace.positionsOf(file), start, end) }));
}

/** Returns the name of a template under the cursor, to be renamed. */
export function prepareTemplateRename(
  opened: Opened,
  offset: number,
): { readonly range: Range; readonly placeholder: string } | undefined {
  const found = templateSymbolAt(opened.file, offset, opened.root.index);
  if (!found) return undefined;
  return {
    range: rangeOf(opened.positions, found.start, found.end),
    placeholder: opened.file.text.slice(found.start, found.end),
  };
}

/** Renames a macro, a variable or a parameter wherever it is used; `undefined` if there is none at the cursor. */
export function renameInTemplates(
  opened: Opened,
  offset: number,
  name: string,
  workspace: Workspace,
): WorkspaceEdit | undefined {
  const found = templateSymbolAt(opened.file, offset, opened.root.index);
  if (!found) return undefined;
  if (!/^[A-Za-z_]\w*$/.test(name) || TEMPLATE_WORDS.has(name))
    throw new ResponseError(REQUEST_FAILED, `\`${name}\` cannot be a name in a template.`);
  const occurrences = templateOccurrences(found.symbol, opened.root.index);
  const taken = occurrences.find(
    ({ file, start }) =>
      isWhereKnown(found.symbol, file, start) && templateSymbolsAt(file, start).some((each) => each.name === name),
  );
  if (taken)
    throw new ResponseError(
      REQUEST_FAILED,
      `\`${name}\` is already a name in ${pathInModel(taken.file.path, opened)}.`,
    );
  const byFile = Map.groupBy(occurrences, ({ file }) => file);
  const documentChanges = [...byFile].map(([file, own]) => ({
    textDocument: { uri: file.path, version: null },
    edits: own.map(({ start, end }) => ({ range: rangeOf(workspace.positionsOf(file), start, end), newText: name })),
  }));
  return { documentChanges };
}

/** Checks whether a name stands for a symbol at a position; of a parameter, calls elsewhere name their argument only. */
function isWhereKnown({ kind, file, start, from, to }: TemplateSymbol, at: Opened['file'], offset: number): boolean {
  return kind !== 'parameter' || (at === file && (offset === start || (from <= offset && offset <= to)));
}

/** Returns the quoted path of the statement under the cursor, with the template that it names. */
function pathAt(
  { file, root: { index } }: Opened,
  offset: number,
): { readonly file: Opened['file']; readonly start: number; readonly end: number } | undefined {
  const span = file.jinja.find(({ start, end, kind }) => kind === 'statement' && start < offset && offset < end);
  const inner =
    span &&
    /^\{%[-+]?\s*(?:from|import|include|extends)\s+["']([^"']+)["']/.exec(file.text.slice(span.start, span.end));
  const [whole = '', path] = inner ?? [];
  if (!span || path === undefined) return undefined;
  const end = span.start + whole.length - 1;
  const target = end - path.length <= offset && offset <= end ? templateNamed(path, index) : undefined;
  return target && { file: target, start: end - path.length, end };
}
