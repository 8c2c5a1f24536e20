import type { ReviewDocument } from '#features/review/messages.ts';
import { reviewDocument, reviewRow } from '#support/review.ts';

/** A push with every kind of row, a guard, and what it means. */
export function push(more: Partial<ReviewDocument> = {}): ReviewDocument {
  const groups = [
    {
      id: 'conflict',
      label: 'Conflicts (Resolve First)',
      rows: [
        reviewRow('model/cubes/customers.yml', { kind: 'conflict', canTick: false, note: 'changed on both sides' }),
      ],
    },
    {
      id: 'delete',
      label: 'Delete on dev-ada-1',
      rows: [
        reviewRow('model/cubes/returns.yml', { kind: 'delete', size: 840 }),
        reviewRow('model/views/a_very_long_name_of_a_view_that_nobody_would_ever_choose.yml', { kind: 'delete' }),
      ],
    },
    {
      id: 'upload',
      label: 'Upload',
      rows: [
        reviewRow('model/cubes/orders.yml', { size: 4321 }),
        reviewRow('model/cubes/coupons.yml', { kind: 'add', size: 612 }),
        ...Array.from({ length: 24 }, (_, at) => reviewRow(`model/cubes/generated/table_${at}.yml`, { size: at })),
      ],
    },
    {
      id: 'rename',
      label: 'Rename on dev-ada-1',
      rows: [reviewRow('model/views/sales.yml', { kind: 'rename', from: 'model/views/revenue.yml' })],
    },
    {
      id: 'leftAlone',
      label: 'Not Synced',
      startsClosed: true,
      rows: [reviewRow('model/big.bin', { kind: 'none', canTick: false, note: 'too big' })],
    },
  ] as const;
  const ticked = new Set(groups.flatMap(({ rows }) => rows.filter(({ canTick }) => canTick).map(({ id }) => id)));
  return reviewDocument({
    title: 'Push to dev-ada-1',
    from: 'shop (local folder)',
    to: 'dev-ada-1',
    warnings: [
      { id: 'many', severity: 'warning', text: 'More than a third of the files would be deleted on dev-ada-1.' },
    ],
    sections: [
      { id: 'build', title: 'Build', summary: 'dev-ada-1 is built without errors', state: 'ok', lines: [] },
      {
        id: 'model',
        title: 'What changes',
        summary: '1 member added, 2 removed',
        state: 'warning',
        lines: [
          { severity: 'info', text: 'added measure orders.total' },
          { severity: 'warning', text: 'removed view sales_by_day' },
        ],
      },
      { id: 'impact', title: 'Impact', summary: 'Reading…', state: 'loading', lines: [] },
    ],
    links: [{ id: 'text', label: 'Show Plan as Text' }],
    groups,
    ticked,
    ...more,
  });
}
