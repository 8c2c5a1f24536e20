import { randomUUID } from 'node:crypto';
import { createBranch } from './branches.ts';
import type { Core } from './core.ts';
import { commitFiles } from './deployments.ts';
import { branchFiles, readFiles } from './files.ts';
import { author } from './merging.ts';
import { invalid, notFound } from './refusal.ts';
import { type BranchRow, branchByName, type Caller, type DeploymentRow } from './rows.ts';

/** A model as a dbt project's property files describe it. */
interface DbtModel {
  readonly name: string;
  readonly description?: string;
  readonly columns?: readonly DbtColumn[];
}

interface DbtColumn {
  readonly name: string;
  readonly description?: string;
  readonly data_type?: string;
  readonly tests?: readonly unknown[];
  readonly data_tests?: readonly unknown[];
}

export interface DbtSync {
  readonly branchName: string;
  readonly syncJobId: string;
  readonly workflowId: string;
}

/**
 * Makes cubes of the dbt models that the repository describes (`dbt/models/**.yml`), in one commit on a branch: the
 * named one when it does not exist yet, else a new one started from it.
 */
export async function syncDbt(core: Core, caller: Caller, deployment: DeploymentRow, name: string): Promise<DbtSync> {
  const base = branchByName(core.db, deployment.id, name);
  const source = base ?? branchByName(core.db, deployment.id, deployment.deploy_branch);
  if (source === undefined) throw notFound(`Branch "${deployment.deploy_branch}"`);
  const models = await readModels(core, source);
  if (models.length === 0) throw invalid(`There are no dbt models (dbt/models/*.yml) on branch "${source.name}".`);
  const parentBranch = source.is_dev === 1 ? (source.parent ?? undefined) : source.name;
  const branch = await createBranch(core, deployment, {
    name: base === undefined ? name : freeName(core, deployment, name),
    parentBranch,
  });
  const files = Object.fromEntries(models.map((model) => [`model/cubes/dbt/${model.name}.yml`, cubeOf(model)]));
  const message = `dbt sync: ${models.length} models`;
  await commitFiles(core, deployment.id, { branch: branch.name, files, message, author: author(core, caller) });
  core.log({
    deploymentId: String(deployment.id),
    source: 'production',
    container: 'service-server',
    branchName: branch.name,
    message: `dbt sync wrote ${models.length} cubes to ${branch.name}.`,
  });
  return { branchName: branch.name, syncJobId: randomUUID(), workflowId: `dbt-sync-${deployment.id}-${branch.id}` };
}

async function readModels(core: Core, branch: BranchRow): Promise<DbtModel[]> {
  const contents = await core.repository(branch.deployment_id).exclusive(async () => {
    const paths = [...(await branchFiles(core, branch)).keys()].filter((path) => /^dbt\/models\/.*\.ya?ml$/.test(path));
    return readFiles(core, branch, paths.sort());
  });
  const { parse } = await import('yaml');
  return [...contents.values()].flatMap((bytes) => {
    const file = parse(bytes.toString('utf8')) as { readonly models?: readonly DbtModel[] } | null;
    return file?.models ?? [];
  });
}

function cubeOf(model: DbtModel): string {
  const columns = model.columns ?? [];
  const key = columns.find((column) => isUnique(column)) ?? columns.find(({ name }) => name === 'id');
  const lines = [
    'cubes:',
    `  - name: ${model.name}`,
    `    sql_table: ${model.name}`,
    ...(model.description === undefined ? [] : [`    description: ${JSON.stringify(model.description)}`]),
    '',
    '    dimensions:',
    ...columns.flatMap((column) => [
      `      - name: ${column.name}`,
      `        sql: ${column.name}`,
      `        type: ${typeOf(column)}`,
      ...(column === key ? ['        primary_key: true'] : []),
      ...(column.description === undefined ? [] : [`        description: ${JSON.stringify(column.description)}`]),
    ]),
    '',
    '    measures:',
    '      - name: count',
    '        type: count',
    '',
  ];
  return lines.join('\n');
}

const isUnique = ({ tests, data_tests: newer }: DbtColumn): boolean =>
  [...(tests ?? []), ...(newer ?? [])].includes('unique');

function typeOf({ data_type: type = '' }: DbtColumn): string {
  if (/int|num|dec|float|double|real/i.test(type)) return 'number';
  if (/date|time/i.test(type)) return 'time';
  return /bool/i.test(type) ? 'boolean' : 'string';
}

function freeName(core: Core, deployment: DeploymentRow, name: string): string {
  const plain = name.replace(/^dev-/, '');
  let number = 1;
  while (branchByName(core.db, deployment.id, `dbt-sync-${plain}-${number}`) !== undefined) number++;
  return `dbt-sync-${plain}-${number}`;
}
