import type { DataClient } from '#api/data.ts';

/** A query to be shown: its SQL over the model, the tab's title, and where it runs in words. */
export interface ShownQuery {
  readonly sql: string;
  readonly title: string;
  readonly place: string;
  readonly client: Pick<DataClient, 'cubeSql'>;
}

/** Runs a query and shows its rows in an editor. */
export type ShowResults = (query: ShownQuery) => Promise<void>;
