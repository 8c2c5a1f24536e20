import type { Core } from '../core/core.ts';
import { demo } from './names.ts';
import { seedDate } from './dates.ts';

/** Folders, reports, workbooks with dashboards, notifications and audit events of the shop's deployment. */
export function seedWorkspace(core: Core): void {
  core.db.transaction(() => {
    const folders = seedFolders(core);
    seedReports(core, folders);
    seedWorkbooks(core, folders);
    seedNotifications(core);
    seedAudit(core);
  });
}

function seedFolders(core: Core): number[] {
  const tree: readonly (readonly [name: string, parent: number | null])[] = [
    ['Management', null],
    ['Sales', null],
    ['Logistics', null],
    ['Weekly', 1],
    ['Campaigns', 1],
    ['Archive', 3],
  ];
  const ids: number[] = [];
  for (const [name, parent] of tree) {
    const { id } = core.db.run(
      'INSERT INTO folders (deployment_id, name, parent_id, created_at) VALUES (?, ?, ?, ?)',
      demo.shop,
      name,
      parent === null ? null : (ids[parent] ?? null),
      seedDate(ids.length),
    );
    ids.push(id);
  }
  return ids;
}

const subjects = ['Revenue', 'Orders', 'Returns', 'Margin', 'New customers', 'Units sold'] as const;
const cuts = ['by month', 'by country', 'by store', 'by category', 'by channel'] as const;

/** Thirty reports: every subject in every cut. */
function seedReports(core: Core, folders: readonly number[]): void {
  for (const [at, subject] of subjects.entries()) {
    for (const [cut, words] of cuts.entries()) {
      const number = at * cuts.length + cut;
      core.db.run(
        `INSERT INTO reports (deployment_id, public_id, name, folder_id, owner_id, data, created_at, updated_at, last_viewed_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        demo.shop,
        `report-${String(number + 1).padStart(2, '0')}`,
        `${subject} ${words}`,
        number % 7 === 6 ? null : (folders[number % folders.length] ?? null),
        (number % 3) + 1,
        '{}',
        seedDate(number / 2),
        seedDate(20 + number / 3),
        number % 4 === 0 ? null : seedDate(40 + ((number * 7) % 30)),
      );
    }
  }
  core.db.run(
    "INSERT INTO report_placements VALUES (1, 'sheet-weekly', 'Sheet1!A1', 'D13'), (6, 'sheet-weekly', 'Sheet2!A1', 'C9')",
  );
}

const workbooks = [
  'Store performance',
  'Weekly review',
  'Customer segments',
  'Category report',
  'Discount check',
  'Returns watch',
  'Supplier scorecard',
  'Spring campaign',
  'Autumn campaign',
  'Wholesale',
  'Board numbers',
  'Playground',
] as const;

function seedWorkbooks(core: Core, folders: readonly number[]): void {
  for (const [at, name] of workbooks.entries()) {
    const slug = name.toLowerCase().replaceAll(' ', '-');
    const { id } = core.db.run(
      `INSERT INTO workbooks (deployment_id, slug, name, folder_id, owner_id, shared, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      demo.shop,
      slug,
      name,
      at % 4 === 3 ? null : (folders[at % folders.length] ?? null),
      (at % 3) + 1,
      at % 2,
      seedDate(at),
      seedDate(30 + at),
    );
    const draft = JSON.stringify(dashboardOf(name));
    core.db.run(
      'INSERT INTO dashboards (workbook_id, public_id, draft, published, embedding) VALUES (?, ?, ?, ?, ?)',
      id,
      `dashboard-${slug}`,
      draft,
      at % 3 === 2 ? null : draft,
      at % 2,
    );
  }
}

function dashboardOf(title: string): object {
  const place = (x: number, y: number, w: number, h: number): object => ({ x, y, w, h });
  return {
    kind: 'CLASSIC',
    title,
    description: `${title} of the shop`,
    layout: { cols: { lg: 12, md: 12, sm: 6, xs: 4, xxs: 2 }, rowHeight: 40, margin: [12, 12] },
    settings: {},
    theme: { primaryColor: '#3a6ea5' },
    widgets: [
      { id: 'heading', type: 'TEXT', position: place(0, 0, 12, 1), config: { text: title } },
      { id: 'period', type: 'FILTER', position: place(0, 1, 4, 1), config: { member: 'sales.created_at' } },
      {
        id: 'trend',
        type: 'CHART',
        position: place(0, 2, 8, 6),
        responsiveLayouts: { sm: place(0, 2, 6, 5) },
        config: {
          query: {
            measures: ['sales.revenue'],
            timeDimensions: [{ dimension: 'sales.created_at', granularity: 'month' }],
          },
        },
      },
      { id: 'why', type: 'AI', position: place(8, 2, 4, 6), config: { prompt: 'What changed this month?' } },
    ],
  };
}

function seedNotifications(core: Core): void {
  const notifications = [
    { name: 'Monday numbers', schedule: '0 7 * * 1', recipients: [{ userId: '1', email: demo.owner }] },
    { name: 'Returns alarm', schedule: '0 * * * *', recipients: [{ email: demo.colleague, username: 'Grace' }] },
    {
      name: 'For the stores',
      schedule: '0 6 1 * *',
      recipients: [{ embedTenantName: 'north-stores', externalId: 'mia' }],
    },
  ];
  for (const [at, notification] of notifications.entries()) {
    core.db.run(
      'INSERT INTO notifications (deployment_id, dashboard_id, data, created_at) VALUES (?, ?, ?, ?)',
      demo.shop,
      at + 1,
      JSON.stringify({ timezone: 'Europe/Berlin', enabled: true, filters: [], timeGrains: [], ...notification }),
      seedDate(10 + at),
    );
  }
}

function seedAudit(core: Core): void {
  const events = ['user.signedIn', 'deployment.updated', 'branch.committed', 'report.created', 'dashboard.published'];
  const people = [demo.owner, demo.colleague, demo.analyst];
  for (let at = 0; at < 40; at++) {
    core.db.run(
      'INSERT INTO audit_events (tenant_id, date, event_name, user_email, deployment_id, data) VALUES (1, ?, ?, ?, ?, ?)',
      seedDate(at),
      events[at % events.length] ?? '',
      people[at % people.length] ?? '',
      at % 5 === 0 ? null : demo.shop,
      JSON.stringify({ number: at + 1 }),
    );
  }
}
