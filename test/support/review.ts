import type { ReviewDocument, ReviewRow } from '#features/review/messages.ts';

/** Returns a row of a review; its id is its path. */
export function reviewRow(path: string, more: Partial<ReviewRow> = {}): ReviewRow {
  return { id: path, path, kind: 'change', size: 1200, canTick: true, ...more };
}

/** Returns a review of two files, one of them ticked. */
export function reviewDocument(more: Partial<ReviewDocument> = {}): ReviewDocument {
  return {
    title: 'Push to dev',
    from: 'shop',
    to: 'dev',
    isProduction: false,
    warnings: [],
    sections: [],
    options: [],
    action: { label: 'Push 1 File to dev', whyNot: '' },
    links: [],
    empty: 'Nothing to push.',
    busy: '',
    groups: [{ id: 'upload', label: 'Upload', rows: [reviewRow('a.yml'), reviewRow('b.yml')] }],
    ticked: new Set(['a.yml']),
    ...more,
  };
}
