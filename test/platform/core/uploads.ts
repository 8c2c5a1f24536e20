import { createHash, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { describeBranch, resolveBranch, writableBranch } from './branches.ts';
import type { Core } from './core.ts';
import { branchFiles, checkShape, pathsAfter, safePath } from './files.ts';
import { applyChange, type FileStep } from './journal.ts';
import { author } from './merging.ts';
import { conflict, invalid, notFound } from './refusal.ts';
import { type BranchRow, type Caller, deploymentById, type DeploymentRow } from './rows.ts';
import { stage } from './staging.ts';
import { checkParent, commit, hasUncommitted, type Outcome } from './workflow.ts';

/** How long an upload may stay unfinished. */
const uploadLifetimeMs = 60 * 60 * 1000;

interface UploadRow {
  readonly id: string;
  readonly deployment_id: number;
  readonly branch_name: string;
  readonly key_id: number;
  readonly expires_at: number;
}

interface UploadedRow {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly staged: string;
}

/** Opaque to clients: they echo it whole. */
interface Transaction {
  readonly id: string;
  readonly proof: string;
}

export interface FinishInput {
  readonly transaction: unknown;
  readonly files: Readonly<Record<string, { readonly hash: string }>>;
  readonly autoRemoveFiles: boolean;
  readonly commitMessage?: string | undefined;
  readonly branchName?: string | undefined;
}

/** Starts an upload to the caller's dev branch, or to the deploy branch of a `cli` deployment (docs/platform-api.md#uploads). */
export async function startUpload(
  core: Core,
  caller: Caller,
  deployment: DeploymentRow,
  name?: string,
): Promise<Transaction> {
  const branch = uploadTarget(core, caller, deployment, name);
  await expireUploads(core);
  const id = randomUUID();
  core.db.run(
    'INSERT INTO uploads (id, deployment_id, branch_name, key_id, expires_at) VALUES (?, ?, ?, ?, ?)',
    id,
    deployment.id,
    branch.name,
    caller.keyId,
    core.clock.now() + uploadLifetimeMs,
  );
  return { id, proof: proofOf(id) };
}

/** Keeps one file of an upload on disk; sending it again replaces it. */
export async function uploadFile(
  core: Core,
  caller: Caller,
  deployment: DeploymentRow,
  file: { readonly transaction: unknown; readonly fileName: string; readonly bytes: Uint8Array },
): Promise<void> {
  const upload = await findUpload(core, caller, deployment, file.transaction);
  const path = safePath(file.fileName, 'fileName');
  const { staged, entry } = stage(core, deployment.id, file.bytes);
  const old = core.db.get<{ staged: string }>(
    'SELECT staged FROM upload_files WHERE upload_id = ? AND path = ?',
    upload.id,
    path,
  );
  core.db.run(
    `INSERT INTO upload_files (upload_id, path, hash, staged, size) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (upload_id, path) DO UPDATE SET hash = excluded.hash, staged = excluded.staged, size = excluded.size`,
    upload.id,
    path,
    entry.hash,
    staged,
    entry.size,
  );
  if (old !== undefined) await rm(old.staged, { force: true });
}

/**
 * Applies an upload all at once. `files` is the full manifest: what it lists must have been uploaded or be there
 * already with that hash; with `autoRemoveFiles` what it does not list goes.
 */
export async function finishUpload(
  core: Core,
  caller: Caller,
  deployment: DeploymentRow,
  input: FinishInput,
): Promise<Outcome> {
  const upload = await findUpload(core, caller, deployment, input.transaction);
  if (input.branchName !== undefined && input.branchName !== upload.branch_name) {
    throw invalid(`The upload was started for branch "${upload.branch_name}".`);
  }
  const branch = uploadTarget(core, caller, deployment, upload.branch_name);
  const message = branch.is_dev === 1 ? input.commitMessage?.trim() : undefined;
  const repository = core.repository(deployment.id);
  const dirty = await repository.exclusive(async () => {
    // Told before anything is changed: a commit that would be refused must not leave half of its work.
    if (message) await checkParent(core, deployment, branch);
    const steps = await planUpload(core, branch, upload, input);
    if (branch.is_dev === 1) await applyChange(core, deployment.id, branch.name, { kind: 'files', steps });
    else await commitUpload(core, caller, branch, steps, input.commitMessage);
    return branch.is_dev === 1 && (await hasUncommitted(core, branch));
  });
  await dropUpload(core, upload);
  core.builds.request(deployment.id, branch.name);
  if (message && dirty) return commit(core, caller, deployment, branch, message);
  const { lastHash } = await describeBranch(core, branch);
  return { branchName: branch.name, lastHash, message: `Uploaded to ${branch.name}.` };
}

/** Forgets uploads that were not finished in time. */
export async function expireUploads(core: Core): Promise<void> {
  const rows = core.db.all<UploadRow>('SELECT * FROM uploads WHERE expires_at <= ?', core.clock.now());
  for (const row of rows) await dropUpload(core, row);
}

async function planUpload(core: Core, branch: BranchRow, upload: UploadRow, input: FinishInput): Promise<FileStep[]> {
  const index = await branchFiles(core, branch);
  const uploaded = new Map(
    core.db.all<UploadedRow>('SELECT * FROM upload_files WHERE upload_id = ?', upload.id).map((row) => [row.path, row]),
  );
  const manifest = new Map(
    Object.entries(input.files).map(([path, { hash }]) => [safePath(path, `files.${path}`), hash] as const),
  );
  const steps: FileStep[] = [];
  for (const [path, hash] of manifest) {
    const file = uploaded.get(path);
    if (file?.hash === hash) {
      steps.push({ kind: 'adopt', path, staged: file.staged, entry: { hash, size: file.size } });
    } else if (index.get(path)?.hash !== hash) {
      throw conflict(`"${path}" is in the manifest with a hash that was not uploaded: upload it and finish again.`, [
        path,
      ]);
    }
  }
  const extra = [...uploaded.keys()].find((path) => !manifest.has(path));
  if (extra !== undefined) throw invalid(`"${extra}" was uploaded but is not in the manifest.`);
  if (input.autoRemoveFiles) {
    steps.push(
      ...[...index.keys()].filter((path) => !manifest.has(path)).map((path): FileStep => ({ kind: 'remove', path })),
    );
  }
  checkShape(pathsAfter(index, steps));
  return steps;
}

/** One commit on the deploy branch of a `cli` deployment; the branch moves only when the commit is whole. */
async function commitUpload(
  core: Core,
  caller: Caller,
  branch: BranchRow,
  steps: readonly FileStep[],
  message: string | undefined,
): Promise<void> {
  const repository = core.repository(branch.deployment_id);
  const head = repository.head(branch.name);
  const set = new Map(steps.flatMap((step) => (step.kind === 'adopt' ? [[step.path, step.staged] as const] : [])));
  const removed = steps.filter(({ kind }) => kind === 'remove').map(({ path }) => path);
  const tree = await repository.editTree(head, set, removed);
  if (tree === (await repository.treeOf(head))) return;
  const to = await repository.commitTree({
    tree,
    parents: [head],
    message: message?.trim() || 'Deploy',
    author: author(core, caller),
  });
  await repository.setRefs([{ branch: branch.name, to, from: head }]);
}

function uploadTarget(core: Core, caller: Caller, deployment: DeploymentRow, name?: string): BranchRow {
  const branch = resolveBranch(core, caller, deployment, name);
  if (deployment.deploy_mode === 'cli' && branch.parent === null) return branch;
  return writableBranch(core, caller, deployment, branch.name);
}

async function findUpload(
  core: Core,
  caller: Caller,
  deployment: DeploymentRow,
  transaction: unknown,
): Promise<UploadRow> {
  await expireUploads(core);
  const id = (transaction as Partial<Transaction> | null | undefined)?.id;
  if (typeof id !== 'string' || !isDeepStrictEqual(transaction, { id, proof: proofOf(id) })) {
    throw invalid('The transaction is not one that upload/start answered: send it back whole.');
  }
  const row = core.db.get<UploadRow>(
    'SELECT * FROM uploads WHERE id = ? AND deployment_id = ? AND key_id = ?',
    id,
    deployment.id,
    caller.keyId,
  );
  if (row === undefined || deploymentById(core.db, row.deployment_id) === undefined) {
    throw notFound('The upload transaction (it may be finished or expired: start a new one)');
  }
  return row;
}

async function dropUpload(core: Core, upload: UploadRow): Promise<void> {
  const files = core.db.all<{ staged: string }>('SELECT staged FROM upload_files WHERE upload_id = ?', upload.id);
  core.db.run('DELETE FROM uploads WHERE id = ?', upload.id);
  await Promise.all(files.map(({ staged }) => rm(staged, { force: true })));
}

/** Tells a transaction that was echoed whole from one whose id was copied out of it. */
const proofOf = (id: string): string => createHash('sha256').update(`upload ${id}`).digest('hex').slice(0, 16);
