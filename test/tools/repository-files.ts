import { parse } from 'yaml';

/** The scripts and files that a workflow, a task or a launch configuration may refer to. */
export interface Surroundings {
  /** Scripts of `package.json`. */
  readonly scripts: readonly string[];
  /** Whether a path from the root of the repository exists. */
  readonly exists: (path: string) => boolean;
}

interface WorkflowStep {
  readonly uses?: string;
  readonly run?: string;
}

/** Returns the problems of a GitHub workflow that can be found without running it. */
export function workflowProblems(text: string, { scripts, exists }: Surroundings): readonly string[] {
  const workflow = parsed(text);
  if (typeof workflow === 'string') return [workflow];
  const jobs = Object.values((workflow['jobs'] ?? {}) as Record<string, { readonly steps?: readonly WorkflowStep[] }>);
  const steps = jobs.flatMap((job) => job.steps ?? []);
  return [
    ...(steps.length === 0 ? ['it has no steps'] : []),
    ...(workflow['permissions'] === undefined ? ['it does not limit its permissions'] : []),
    ...steps.flatMap((step) => [...unpinned(step), ...commandProblems(step.run ?? '', scripts, exists)]),
  ];
}

/** Returns the action of a step if it is not pinned to a commit. */
function unpinned({ uses }: WorkflowStep): readonly string[] {
  if (uses === undefined || /^\.\/|@[0-9a-f]{40}$/.test(uses)) return [];
  return [`${uses} is not pinned to a commit`];
}

function commandProblems(
  command: string,
  scripts: readonly string[],
  exists: Surroundings['exists'],
): readonly string[] {
  const missing = [...npmScripts(command)].filter((name) => !scripts.includes(name));
  const files = [...command.matchAll(/\bnode ([\w./-]+\.[cm]?[jt]s)\b/g)].map(([, path = '']) => path);
  return [
    ...missing.map((name) => `there is no npm script “${name}”`),
    ...files.filter((path) => !exists(path)).map((path) => `there is no file ${path}`),
    // A secret may reach a command through its environment only: in the command's text it would be printed.
    ...(/\$\{\{[^}]*\b(?:secrets|github\.token)\b/.test(command) ? ['a secret is written into a command'] : []),
    ...(/\b(?:echo|printf|cat|tee|Write-Host)\b[^\n]*\$\{?\w*(?:PAT|TOKEN|SECRET|KEY)\b/i.test(command)
      ? ['a secret is printed']
      : []),
    // Text of an event may be anything, including a command.
    ...(/\$\{\{\s*github\.(?:event|head_ref)/.test(command) ? ['text of an event is written into a command'] : []),
  ];
}

/** Returns the npm scripts that a command runs. */
export function npmScripts(command: string): ReadonlySet<string> {
  return new Set(
    [...command.matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)].map(([, named, short]) => named ?? short ?? ''),
  );
}

/** Returns the problems of an issue form. */
export function formProblems(text: string): readonly string[] {
  const form = parsed(text);
  if (typeof form === 'string') return [form];
  const body = form['body'];
  const fields = (Array.isArray(body) ? body : []) as readonly { type?: string; attributes?: { label?: string } }[];
  return [
    ...['name', 'description'].filter((key) => typeof form[key] !== 'string').map((key) => `it has no ${key}`),
    ...(fields.length === 0 ? ['it has no fields'] : []),
    ...fields
      .filter(({ type, attributes }) => type !== 'markdown' && !attributes?.label)
      .map(({ type }) => `a ${type} has no label`),
  ];
}

function parsed(text: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : 'it is not a mapping';
  } catch (error) {
    return `it is not YAML: ${error instanceof Error ? error.message : String(error)}`;
  }
}
