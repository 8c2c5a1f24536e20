import type { SnapshotSerializer } from 'vitest';

/** Output for `toMatchInlineSnapshot`, which shows it without quotes (see `snapshotSerializers` of the configuration). */
export interface Drawn {
  readonly drawn: string;
}

const serializer: SnapshotSerializer = {
  test: (value) => typeof value === 'object' && value !== null && 'drawn' in value,
  serialize: ({ drawn }: Drawn) => drawn,
};
export default serializer;
