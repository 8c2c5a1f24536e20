import type { Attachment } from '#chat-core/attachments.ts';
import type { QueryResult } from '#chat-core/tool-result.ts';
import type { AskTarget } from '#shell/targets.ts';

/** A problem of a file, with the lines around it. */
export interface AskedProblem {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
  readonly fileText: string;
}

/** Returns the question that *Ask the Agent* puts into the composer for a problem. */
export function problemQuestion({ path, line, message, fileText }: AskedProblem): AskTarget {
  return {
    ask: '/fix ',
    attached: [
      { label: `Problem at ${path}:${line}`, detail: path, text: `${path}:${line}: ${message}` },
      { label: path, detail: path, text: fileText },
    ],
  };
}

/** Returns the question about a failed build. */
export function buildQuestion(branchName: string, errors: string): AskTarget {
  return { ask: '/fix ', attached: [buildErrors(branchName, errors)] };
}

/** The texts of a changed file; `undefined`: there is no such file on that side. */
export interface ChangedSides {
  readonly path: string;
  /** The text that a commit would replace, if the dev branch changed the file. */
  readonly parent?: { readonly text: string | undefined } | undefined;
  readonly branch: string | undefined;
  readonly folder: string | undefined;
}

/** Returns the question about a changed file, with its text on each side that differs. */
export function changeQuestion({ path, parent, branch, folder }: ChangedSides): AskTarget {
  const side = (where: string, text: string | undefined): AskTarget['attached'][number] => ({
    label: `${path} ${where}`,
    detail: path,
    text: text ?? 'There is no such file.',
  });
  return {
    ask: `/explain the change of ${path}`,
    attached: [
      ...(parent ? [side('on the parent branch', parent.text)] : []),
      side('on the dev branch', branch),
      ...(folder === branch ? [] : [side('in the folder', folder)]),
    ],
  };
}

/** Returns the errors of a failed build as an attachment to a question. */
export function buildErrors(branchName: string, errors: string): AskTarget['attached'][number] {
  return { label: `Failed build of ${branchName}`, detail: branchName, text: errors };
}

/** Returns the SQL of an answer's result as an attachment; `id` is that of its message. */
export function sqlAttachment(id: string, { title, sql }: Pick<QueryResult, 'title' | 'sql'>): Attachment {
  return { id: `sql:${id}`, label: title || 'Query', detail: 'SQL of the answer', text: sql };
}

interface Outlined<Kind> {
  readonly kind: Kind;
  readonly name: string;
  readonly children: readonly Outlined<Kind>[];
}

/**
 * Returns the cube or view of an outline that contains a position, or its member there, with its full name. VS Code concatenates
 * the outlines of all extensions, so one for YAML or JavaScript may come first: only an entry of our kinds is a cube or view.
 */
export function outlinedAt<Kind, Entry extends Outlined<Kind>>(
  outline: readonly (Entry & { readonly children: readonly Entry[] })[],
  entities: readonly Kind[],
  holds: (entry: Entry) => boolean,
): { readonly name: string; readonly entry: Entry } | undefined {
  const entity = outline.find((entry) => entities.includes(entry.kind) && holds(entry));
  const member = entity?.children.find(holds);
  if (entity && member) return { name: `${entity.name}.${member.name}`, entry: member };
  return entity && { name: entity.name, entry: entity };
}
