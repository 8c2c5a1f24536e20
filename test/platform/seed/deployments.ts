import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKey } from '../auth/credentials.ts';
import type { Core } from '../core/core.ts';
import { createRepository } from '../core/deployments.ts';
import { upstreamPath } from '../core/upstream.ts';
import type { Author } from '../git/git.ts';
import { Repository } from '../git/repository.ts';
import { demo, seededSecret } from './names.ts';
import { seedDate, seedTime } from './dates.ts';

type Files = Readonly<Record<string, string>>;

/** Four deployments: the shop (Git), one that is deployed by upload, one connected to a repository, one of the other account. */
export async function seedDeployments(core: Core): Promise<void> {
  addDeployment(core, { tenant: 1, name: 'Shop analytics', mode: 'git', method: 'cubecloud', version: '1.7.43' });
  addDeployment(core, { tenant: 1, name: 'Retail forecasts', mode: 'cli', method: 'upload', version: '1.6.43' });
  addDeployment(core, { tenant: 1, name: 'Marketing', mode: 'git', method: 'github', version: '1.7.43' });
  addDeployment(core, { tenant: 2, name: 'Acme metrics', mode: 'git', method: 'cubecloud', version: '1.7.43' });
  core.db.run('INSERT INTO versions_run (deployment_id, version, release_channel) VALUES (2, ?, ?)', '1.5.2', 'stable');
  const { keys, keyNames } = demo;
  createKey(core.db, {
    tenantId: 1,
    userId: 1,
    name: keyNames.scoped,
    secret: keys.scoped,
    deployments: [demo.shop, demo.cli],
  });
  await Promise.all([
    seedShop(core),
    seedOne(core, demo.cli, 'master', forecastModel, by('ada', 1)),
    seedConnected(core),
    seedOne(core, demo.foreign, 'main', acmeModel, by('eve', 1)),
  ]);
  core.db.run("UPDATE deployments SET deploy_branch = 'master' WHERE id = ?", demo.cli);
}

const seedOne = (core: Core, id: number, branch: string, files: Files, author: Author): Promise<void> =>
  createRepository(core, id, branch, [{ branch, files, message: 'First version', author }]);

async function seedShop(core: Core): Promise<void> {
  const id = demo.shop;
  const sample = Object.entries(await readSample());
  const views = Object.fromEntries(sample.filter(([path]) => path.includes('/views/')));
  const cubes = Object.fromEntries(sample.filter(([path]) => !path.includes('/views/')));
  const first = { ...cubes, 'README.md': readme };
  await createRepository(core, id, 'main', [
    { branch: 'main', files: first, message: 'Cubes of the shop', author: by('ada', 0) },
    {
      branch: demo.sharedBranch,
      from: 'main',
      files: pricingView,
      message: 'A view for pricing',
      author: by('grace', 2),
    },
    { branch: 'main', files: views, message: 'Views for the analysts', author: by('grace', 4) },
    {
      branch: demo.stagedBranch,
      from: 'main',
      files: returnsNote,
      message: 'Say what a return is',
      author: by('linus', 5),
    },
  ]);
  const repository = core.repository(id);
  await repository.addDevBranch(demo.staleDevBranch, await repository.commitAt('main~1'));
  addBranch(core, demo.sharedBranch, {});
  addBranch(core, demo.stagedBranch, { staging: true });
  addBranch(core, demo.staleDevBranch, { owner: 2 });
}

function addBranch(
  core: Core,
  name: string,
  { owner, staging }: { readonly owner?: number; readonly staging?: boolean },
): void {
  core.db.run(
    "INSERT INTO branches (deployment_id, name, parent, owner_id, is_dev, staging, created_at) VALUES (?, ?, 'main', ?, ?, ?, ?)",
    demo.shop,
    name,
    owner ?? null,
    owner === undefined ? 0 : 1,
    staging === true ? 1 : 0,
    seedDate(3),
  );
}

/** The repository on the stand-in for GitHub, and the deployment's clone of it. */
async function seedConnected(core: Core): Promise<void> {
  const { owner, repo } = demo.github;
  const path = upstreamPath(core, { owner, repo });
  const upstream = new Repository(path, { bare: true });
  await upstream.init('main');
  await upstream.import([
    { branch: 'main', files: marketingModel, message: 'Campaigns', author: by('grace', 1) },
    { branch: 'develop', from: 'main', files: { 'NOTES.md': 'Drafts\n' }, message: 'Notes', author: by('grace', 2) },
  ]);
  await core.repository(demo.connected).cloneFrom(path, 'main');
  core.db.run(
    'INSERT INTO branches (deployment_id, name, parent, created_at) VALUES (?, ?, NULL, ?)',
    demo.connected,
    'main',
    seedDate(1),
  );
  const connection = JSON.stringify({ owner, repo, branch: 'main' });
  core.db.run('UPDATE deployments SET github = ? WHERE id = ?', connection, demo.connected);
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
    ['CUBEJS_API_SECRET', seededSecret(id), 1],
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

const returnsNote: Files = {
  'model/README.md': `# Returns

An item counts as returned on the day it is back in the warehouse.
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
