export type ChartRows = readonly Readonly<Record<string, unknown>>[];

/** Bounds that the rows set for what a chart may ask for. */
export class DataExtent {
  readonly #rows: ChartRows;
  readonly #distinct = new Map<string, number>();

  readonly #made: ReadonlySet<string>;

  /** `made`: fields that the chart writes itself, of which the rows say nothing. */
  constructor(rows: ChartRows, made: ReadonlySet<string> = new Set()) {
    this.#rows = rows;
    this.#made = made;
  }

  get rows(): number {
    return this.#rows.length;
  }

  /** Whether the rows have the field, and the chart does not write it. */
  knows(field: string): boolean {
    return this.#values(field).length > 0;
  }

  /** How far the numbers of a field lie apart; `undefined` for a field that the rows do not have. */
  span(field: string): number | undefined {
    const values = this.#values(field).filter((value): value is number => typeof value === 'number');
    if (values.length === 0) return undefined;
    let [least, most] = [Infinity, -Infinity];
    for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
    return most - least;
  }

  /** How many different combinations of values the fields have; a field that a transform makes may have one for each row. */
  groups(fields: readonly string[]): number {
    const key = JSON.stringify(fields);
    let known = this.#distinct.get(key);
    if (known === undefined) {
      const columns = fields.map((field) => this.#values(field));
      const isUnknown = columns.some((column) => column.length === 0);
      const seen = new Set(this.#rows.map((_, at) => JSON.stringify(columns.map((column) => column[at]))));
      known = isUnknown ? this.rows : Math.max(1, seen.size);
      this.#distinct.set(key, known);
    }
    return known;
  }

  /** The values of a field as Vega reads its name; none for an unknown one. */
  #values(field: string): readonly unknown[] {
    const name = field.replaceAll(/\\/g, '').replaceAll(/\[["']?|["']?\]/g, '');
    if (this.#made.has(name) || this.#made.has(field)) return [];
    return this.#rows.some((row) => Object.hasOwn(row, name)) ? this.#rows.map((row) => row[name]) : [];
  }
}
