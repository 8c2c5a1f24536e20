import type { DataClient } from '#api/data.ts';

/** One thing that the shown rows are chosen by, with its present value in words. */
export interface ShownChoice {
  readonly id: string;
  readonly label: string;
  readonly value: string;
}

/** What the rows are chosen by: buttons of their view. */
export interface ShownChoices {
  readonly all: () => readonly ShownChoice[];
  /** Asks for another value of one; answers whether the rows must be read again. */
  readonly choose: (id: string) => Promise<boolean>;
}

/** A query to be shown: its SQL over the model, the tab's title, and where it runs in words. */
export interface ShownQuery {
  readonly sql: string;
  readonly title: string;
  readonly place: string;
  readonly client: Pick<DataClient, 'cubeSql'>;
  readonly choices?: ShownChoices | undefined;
}

/** Runs a query and shows its rows in an editor. */
export type ShowResults = (query: ShownQuery) => Promise<void>;
