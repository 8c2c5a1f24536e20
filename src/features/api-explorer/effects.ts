import type { Operation } from '#api/operation.ts';
import type { RequestParts } from './request-template.ts';

/** What an operation does to what is there: reads it, adds to or changes it, or replaces or deletes some of it. */
export type Effect = 'reads' | 'changes' | 'destroys';

/** What a POST can destroy, by its id; a PUT replaces and a DELETE deletes by their nature. */
const destroying: ReadonlySet<string> = new Set([
  // Rebuilds production.
  'mergeToDefault',
  'merge',
  // Deletes what its manifest does not list.
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

/** Words in a path of an operation that Modelbench does not know. */
const destroyingWords = /(delete|remove|reset|replace|purge|bulk|merge|publish|revoke)/i;

/** What running an operation can do; one that only the server describes is judged by its method and path. */
export function effectOf(op: Pick<Operation, 'id' | 'method' | 'path'>, isForeign = false): Effect {
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

/** Whether a window that is not trusted may run it: only what reads, and a POST may always change something. */
export function needsTrust(op: Pick<Operation, 'method'>): boolean {
  return op.method !== 'GET';
}

/** What is asked before a request that replaces or deletes something. */
export interface Question {
  readonly title: string;
  readonly detail: string;
  readonly button: string;
}

/** The question, naming the operation and its target; nothing for a request that destroys nothing. */
export function questionBefore(
  { op, origin }: { readonly op: Operation; readonly origin: string },
  request: RequestParts,
  place: string,
): Question | undefined {
  if (effectOf(op, origin === 'server') !== 'destroys') return undefined;
  const target = op.path.replaceAll(
    /\{(\w+)\}/g,
    (whole, name: string) => shown(fieldOf(request.params, name)) ?? whole,
  );
  const sent = [request.query, request.body].flatMap((part) => (part === undefined ? [] : [brief(part)]));
  return {
    title: `Run ${op.id} on ${place}?`,
    detail: [
      op.summary,
      [`${op.method} ${target}`, ...sent].join('\n'),
      'This replaces or deletes existing data and cannot be undone.',
    ].join('\n\n'),
    button: op.method === 'DELETE' ? 'Delete' : 'Run',
  };
}

/** What names the target besides the path: the query and the beginning of the body. */
function brief(part: unknown): string {
  const text = JSON.stringify(part);
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function shown(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}
