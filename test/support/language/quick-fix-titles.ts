import type { Code } from '#model/codes.ts';

/**
 * The titles of all quick fixes by the code that they fix, with `…` for each name in them. A test compiles the result of each,
 * and fails for a fix that is not listed.
 */
export const quickFixTitles: Partial<Readonly<Record<Code, readonly string[]>>> = {
  'tab-indent': ['Indent with spaces instead of tabs'],
  'unquoted-braces': ['Put the SQL in quotes'],
  'unknown-key': ['Change to `…`', 'Remove `…`', 'Move `…` to the cube'],
  'unknown-section': ['Change to `…`'],
  'duplicate-key': ['Remove the second `…`', 'Merge it into the first `…`'],
  'missing-key': ['Add `…`'],
  'exclusive-keys': ['Remove `…`'],
  'wrong-type': ['Put it in quotes', 'Make it a function', 'Change to `…`'],
  'null-value': ['Remove `…`'],
  'bad-value': ['Change to `…`'],
  'bad-boolean': ['Change to `…`'],
  'braces-in-text': ['Write `…`'],
  'bad-expression': ['Write `…`', 'Quote it as SQL text'],
  'duplicate-name': ['Rename it to `…`'],
  'unknown-reference': [
    'Change to `…`',
    'Create the cube `…`',
    'Create the dimension `…` in `…`',
    'Create the measure `…` in `…`',
  ],
  'late-reference': [
    'Change to `…`',
    'Create the cube `…`',
    'Create the dimension `…` in `…`',
    'Create the measure `…` in `…`',
  ],
  'foreign-column': ['Use `…`'],
  'unknown-exclude': ['Change to `…`'],
  'unknown-policy-member': ['Change to `…`'],
  'unknown-pre-aggregation-member': [
    'Change to `…`',
    'Create the dimension `…` in `…`',
    'Create the measure `…` in `…`',
    'Create the segment `…` in `…`',
  ],
  'unknown-granularity': ['Change to `…`'],
  'missing-primary-key': ['Add a primary key `…` to `…`', 'Make `…` the primary key of `…`'],
  'view-clash': ['Add `…`'],
  deprecated: ['Change to `…`'],
  'not-in-pre-aggregation': ['Change to `…`'],
  'unknown-case-value': ['Change to `…`'],
};
