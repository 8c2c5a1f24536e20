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
