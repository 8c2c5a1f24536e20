import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The deployment and branch that the sample comes from. */
export interface SampleSource {
  readonly url: string;
  readonly apiKey: string;
  readonly deployment: string;
  /** Defaults to the deploy branch. */
  readonly branch?: string | undefined;
}

/** A node of the tree that `GET …/data-model/files` returns. */
interface FileNode {
  readonly path: string;
  readonly type: 'file' | 'directory';
  readonly content?: string;
  readonly children?: readonly FileNode[];
}

/**
 * Makes `folder` a linked copy of the deployment's model on a branch. An existing folder keeps its files; only the platform's
 * address is updated.
 */
export async function prepareSample(folder: string, source: SampleSource): Promise<void> {
  const linkFile = join(folder, 'modelbench.json');
  if (existsSync(linkFile)) {
    const link = JSON.parse(readFileSync(linkFile, 'utf8')) as Record<string, unknown>;
    writeJson(linkFile, { ...link, tenant: source.url });
    return;
  }
  for (const { path, content } of await modelFiles(source)) {
    const file = join(folder, path.replace(/^\/+/, ''));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content ?? '');
  }
  writeJson(linkFile, { tenant: source.url, deployment: source.deployment, modelPath: 'model' });
}

async function modelFiles({ url, apiKey, deployment, branch }: SampleSource): Promise<readonly FileNode[]> {
  const of = branch === undefined ? '' : `&branchName=${encodeURIComponent(branch)}`;
  const path = `/build/api/v1/deployments/${deployment}/data-model/files?withContent=true${of}`;
  const response = await fetch(`${url.replace(/\/$/, '')}${path}`, { headers: { Authorization: `Bearer ${apiKey}` } });
  if (!response.ok) throw new Error(`The local platform answered ${response.status} for the sample model's files.`);
  const answer = (await response.json()) as FileNode | readonly FileNode[] | { readonly files: readonly FileNode[] };
  if ('files' in answer) return answer.files;
  return (Array.isArray(answer) ? (answer as readonly FileNode[]) : [answer as FileNode]).flatMap(flatten);
}

function flatten(node: FileNode): readonly FileNode[] {
  return node.type === 'file' ? [node] : (node.children ?? []).flatMap(flatten);
}

function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
