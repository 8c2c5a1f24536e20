import type { DataClient } from '#api/data/data.ts';

/** One choice that determines the shown rows, with its current value as text. */
export interface ShownChoice {
  readonly id: string;
  readonly label: string;
  readonly value: string;
}

/** The choices that determine the rows, shown as buttons of the view. */
export interface ShownChoices {
  readonly all: () => readonly ShownChoice[];
  /** What to say about the rows of these choices, such as that the platform did not apply them; empty for nothing. */
  readonly note?: () => string;
  /** Asks for another value of a choice; resolves to whether the rows must be read again. */
  readonly choose: (id: string) => Promise<boolean>;
}

/** A query to show: its SQL over the model, the tab's title, and a description of where it runs. */
export interface ShownQuery {
  readonly sql: string;
  readonly title: string;
  readonly source: string;
  readonly client: Pick<DataClient, 'cubeSql'>;
  /** The account whose rows these are: they are not shown any longer once it is signed out. None for a Cube Core server. */
  readonly accountId?: string | undefined;
  readonly choices?: ShownChoices | undefined;
}

/** Runs a query and shows its rows in an editor. */
export type ShowResults = (query: ShownQuery) => Promise<void>;
