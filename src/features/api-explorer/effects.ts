import type { Operation } from '#api/operation.ts';
import { sentParts } from './gated-request.ts';
import type { RequestParts } from './request-template.ts';

/** The effect of an operation on existing data: it reads it, adds to or changes it, or replaces or deletes some of it. */
export type OperationEffect = 'reads' | 'changes' | 'destroys';

/** The ids of POST operations that destroy data. A PUT always replaces, and a DELETE always deletes. */
const destroying: ReadonlySet<string> = new Set([
  // They can rebuild production.
  'mergeToDefault',
  'merge',
  // It deletes the files that its manifest does not list.
  'finishUpload',
  'renameDataModelFiles',
  'resetCreationStep',
  'connectGithub',
  'bulkDeleteWorkspaceItems',
  'bulkMoveWorkspaceItems',
  'bulkUsers',
  'upsertUserAttributeValue',
  'publishDashboard',
]);

/** Words in the path of an operation that Modelbench does not know. */
const destroyingWords = /(delete|remove|reset|replace|purge|bulk|merge|publish|revoke)/i;

/** Returns the effect of an operation; one that only the server describes is judged by its method and path. */
export function operationEffect(op: Pick<Operation, 'id' | 'method' | 'path'>, isForeign = false): OperationEffect {
  switch (op.method) {
    case 'GET':
      return 'reads';
    case 'DELETE':
    case 'PUT':
      return 'destroys';
    default:
      return destroying.has(op.id) || (isForeign && destroyingWords.test(op.path)) ? 'destroys' : 'changes';
  }
}

/** Whether an operation needs a trusted window. Only a GET does not: a POST may always change something. */
export function needsTrust(op: Pick<Operation, 'method'>): boolean {
  return op.method !== 'GET';
}

/** The confirmation before a request that replaces or deletes something. */
export interface Question {
  readonly title: string;
  readonly detail: string;
  readonly button: string;
}

/** Returns the confirmation, with the operation and its target; `undefined` for a request that destroys nothing. */
export function questionBefore(
  { op, origin }: { readonly op: Operation; readonly origin: string },
  request: RequestParts,
  tenant: string,
): Question | undefined {
  if (operationEffect(op, origin === 'server') !== 'destroys') return undefined;
  const target = op.path.replaceAll(
    /\{(\w+)\}/g,
    (whole, name: string) => shown(fieldOf(request.params, name)) ?? whole,
  );
  const { query, body } = sentParts(op, request);
  const sent = [query, body].flatMap((part) => (part === undefined ? [] : [brief(part)]));
  return {
    title: `Run ${op.id} on ${tenant}?`,
    detail: [
      op.summary,
      [`${op.method} ${target}`, ...sent].join('\n'),
      'This may replace or delete existing data, and cannot be undone from here.',
    ].join('\n\n'),
    button: op.method === 'DELETE' ? 'Delete' : 'Run',
  };
}

/**
 * Returns the query or the beginning of the body, which may name the target, with the length of each list that is not shown
 * whole: `files: 40`.
 */
function brief(part: unknown): string {
  const text = JSON.stringify(part);
  if (text.length <= 300) return text;
  const lists = Object.entries(typeof part === 'object' && part !== null ? part : {}).flatMap(
    ([name, value]: readonly [string, unknown]) => (Array.isArray(value) ? [`${name}: ${value.length}`] : []),
  );
  return [`${text.slice(0, 300)}…`, ...lists].join('\n');
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function shown(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}
