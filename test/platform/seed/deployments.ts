import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKey } from '../auth/credentials.ts';
import type { Core } from '../core/core.ts';
import { commitFiles, createRepository } from '../core/deployments.ts';
import { upstreamPath } from '../core/upstream.ts';
import type { Author } from '../git/git.ts';
import { Repository } from '../git/repository.ts';
import { demo } from './names.ts';
import { seedDate, seedTime } from './dates.ts';

type Files = Readonly<Record<string, string>>;

/** Four deployments: the shop (Git), one that is deployed by upload, one connected to a repository, one of the other account. */
export async function seedDeployments(core: Core): Promise<void> {
  addDeployment(core, { tenant: 1, name: 'Shop analytics', mode: 'git', method: 'cubecloud', version: '1.7.43' });
  addDeployment(core, { tenant: 1, name: 'Retail forecasts', mode: 'cli', method: 'upload', version: '1.6.43' });
  addDeployment(core, { tenant: 1, name: 'Marketing', mode: 'git', method: 'github', version: '1.7.43' });
  addDeployment(core, { tenant: 2, name: 'Acme metrics', mode: 'git', method: 'cubecloud', version: '1.7.43' });
  core.db.run('INSERT INTO versions_run (deployment_id, version, release_channel) VALUES (2, ?, ?)', '1.5.2', 'stable');
  const { keys } = demo;
  createKey(core.db, {
    tenantId: 1,
    userId: 1,
    name: 'Two deployments',
    secret: keys.scoped,
    deployments: [demo.shop, demo.cli],
  });
  await Promise.all([
    seedShop(core),
    createRepository(core, demo.cli, 'master', forecastModel, by('ada', 1), 'Deploy'),
    seedConnected(core),
    createRepository(core, demo.foreign, 'main', acmeModel, by('eve', 1), 'Initial commit'),
  ]);
  core.db.run("UPDATE deployments SET deploy_branch = 'master' WHERE id = ?", demo.cli);
}

async function seedShop(core: Core): Promise<void> {
  const id = demo.shop;
  const sample = await readSample();
  const cubes = Object.fromEntries(Object.entries(sample).filter(([path]) => !path.includes('/views/')));
  await createRepository(core, id, 'main', { ...cubes, 'README.md': readme }, by('ada', 0), 'Cubes of the shop');
  await addShared(core, id, demo.sharedBranch);
  const repository = core.repository(id);
  await repository.addDevBranch(demo.staleDevBranch, await repository.head('main'));
  core.db.run(
    "INSERT INTO branches (deployment_id, name, parent, owner_id, is_dev, created_at) VALUES (?, ?, 'main', 2, 1, ?)",
    id,
    demo.staleDevBranch,
    seedDate(2),
  );
  const views = Object.fromEntries(Object.entries(sample).filter(([path]) => path.includes('/views/')));
  await commitFiles(core, id, 'main', views, by('grace', 4), 'Views for the analysts');
  await commitFiles(core, id, demo.sharedBranch, { ...views, ...pricingView }, by('grace', 6), 'A view for pricing');
  await addShared(core, id, demo.stagedBranch);
  core.db.run('UPDATE branches SET staging = 1 WHERE deployment_id = ? AND name = ?', id, demo.stagedBranch);
}

/** The repository on the stand-in for GitHub, and the deployment's clone of it. */
async function seedConnected(core: Core): Promise<void> {
  const { owner, repo } = demo.github;
  const upstream = upstreamPath(core, { owner, repo });
  await seedBareRepository(core, demo.connected, upstream);
  await core.repository(demo.connected).cloneFrom(upstream, 'main');
  core.db.run(
    'INSERT INTO branches (deployment_id, name, parent, created_at) VALUES (?, ?, NULL, ?)',
    demo.connected,
    'main',
    seedDate(1),
  );
  const connection = JSON.stringify({ owner, repo, branch: 'main' });
  core.db.run('UPDATE deployments SET github = ? WHERE id = ?', connection, demo.connected);
}

async function seedBareRepository(core: Core, deploymentId: number, path: string): Promise<void> {
  const source = core.repository(deploymentId);
  await source.init('main');
  await commitFiles(core, deploymentId, 'main', marketingModel, by('grace', 1), 'Campaigns');
  await commitFiles(
    core,
    deploymentId,
    'develop',
    { ...marketingModel, 'NOTES.md': 'Drafts\n' },
    by('grace', 2),
    'Notes',
  );
  await new Repository(path, { bare: true }).mirror(source.dir);
}

async function addShared(core: Core, deploymentId: number, name: string): Promise<void> {
  const repository = core.repository(deploymentId);
  await repository.setRefs([{ branch: name, to: await repository.head('main') }]);
  core.db.run(
    "INSERT INTO branches (deployment_id, name, parent, created_at) VALUES (?, ?, 'main', ?)",
    deploymentId,
    name,
    seedDate(3),
  );
}

interface NewDeployment {
  readonly tenant: number;
  readonly name: string;
  readonly mode: 'git' | 'cli';
  readonly method: string;
  readonly version: string;
}

function addDeployment(core: Core, input: NewDeployment): void {
  const channel = input.version.startsWith('1.6') ? 'stable' : 'latest';
  const { id } = core.db.run(
    `INSERT INTO deployments (tenant_id, name, created_at, deploy_mode, creation_method, creation_step, cloud_provider,
       region, version, release_channel, deploy_branch, service_tokens_enabled)
     VALUES (?, ?, ?, ?, ?, 'complete', 'cubecloud', 'eu-central-1', ?, ?, 'main', 1)`,
    input.tenant,
    input.name,
    seedDate(input.tenant),
    input.mode,
    input.method,
    input.version,
    channel,
  );
  const variables = [
    ['CUBEJS_API_SECRET', id === demo.shop ? demo.apiSecret : `demo-api-secret-${id}`, 1],
    ['CUBEJS_DB_TYPE', 'duckdb', 0],
    ['CUBEJS_CACHE_AND_QUEUE_DRIVER', 'memory', 0],
  ] as const;
  for (const [name, value, secret] of variables) {
    core.db.run(
      'INSERT INTO env_vars (deployment_id, name, value, is_secret) VALUES (?, ?, ?, ?)',
      id,
      name,
      value,
      secret,
    );
  }
  core.db.run(
    'INSERT INTO versions_run (deployment_id, version, release_channel) VALUES (?, ?, ?)',
    id,
    input.version,
    channel,
  );
  core.db.run(
    "INSERT INTO agents (tenant_id, deployment_id, name, is_default) VALUES (?, ?, 'Data analyst', 1)",
    input.tenant,
    id,
  );
}

async function readSample(): Promise<Files> {
  const root = fileURLToPath(new URL('../data/sample', import.meta.url));
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.sort().map(async (path) => [path.slice(root.length + 1), await readFile(path, 'utf8')] as const),
  );
  return Object.fromEntries(files);
}

const by = (name: string, day: number): Author => ({
  name: name.charAt(0).toUpperCase() + name.slice(1),
  email: `${name}@${name === 'eve' ? 'acme' : 'shop'}.example`,
  date: seedTime(day),
});

const readme = `# Shop analytics

Cubes and views of the shop's warehouse. Start with the view \`sales\`.
`;

const pricingView: Files = {
  'model/views/pricing.yml': `views:
  - name: pricing
    title: Pricing
    description: What a product costs and what it is sold for.

    cubes:
      - join_path: products
        includes: [name, price, unit_cost, price_band, count, average_price]
`,
};

const forecastModel: Files = {
  'model/cubes/forecasts.yml': `cubes:
  - name: forecasts
    sql: SELECT 1 AS id, 'North' AS region, 120 AS units

    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: region
        sql: region
        type: string

    measures:
      - name: units
        sql: units
        type: sum
`,
};

const marketingModel: Files = {
  'dbt/models/schema.yml': `version: 2

models:
  - name: newsletter_clicks
    description: One row per click in a newsletter.
    columns:
      - name: click_id
        data_type: integer
        tests: [unique, not_null]
      - name: clicked_at
        data_type: timestamp
      - name: campaign
        data_type: varchar
        description: Name of the campaign.
  - name: newsletter_subscribers
    columns:
      - name: id
        data_type: integer
      - name: country
        data_type: varchar
`,
  'model/cubes/campaigns.yml': `cubes:
  - name: campaigns
    sql: SELECT 1 AS id, 'Spring' AS name, 2500 AS budget

    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: name
        sql: name
        type: string

    measures:
      - name: budget
        sql: budget
        type: sum
`,
};

const acmeModel: Files = {
  'model/cubes/tickets.yml': `cubes:
  - name: tickets
    sql: SELECT 1 AS id

    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true

    measures:
      - name: count
        type: count
`,
};
