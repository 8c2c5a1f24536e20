import type { ReviewDocument, ReviewRow } from './messages.ts';

/** The file of a review of one file, and what is done with it. */
export interface OneFileDocument extends Pick<ReviewDocument, 'title' | 'from' | 'to' | 'action'> {
  readonly group: { readonly id: string; readonly label: string };
  readonly row: Omit<ReviewRow, 'canTick'>;
  readonly warnings?: ReviewDocument['warnings'];
}

/** Returns what a page shows that reviews one file: it cannot be left out, and nothing of it reaches the platform. */
export function oneFileDocument({ group, row, warnings = [], ...head }: OneFileDocument): ReviewDocument {
  return {
    ...head,
    isProduction: false,
    warnings,
    sections: [],
    options: [],
    links: [],
    empty: '',
    busy: '',
    groups: [{ ...group, rows: [{ ...row, canTick: false }] }],
    ticked: new Set(),
  };
}
