export type ChartRows = readonly Readonly<Record<string, unknown>>[];

/** The bounds that the rows set for a chart. */
export class DataExtent {
  readonly #rows: ChartRows;
  readonly #distinct = new Map<string, number>();

  readonly #made: ReadonlySet<string>;

  /** `made`: fields that the chart itself creates, so the rows set no bounds for them. */
  constructor(rows: ChartRows, made: ReadonlySet<string> = new Set()) {
    this.#rows = rows;
    this.#made = made;
  }

  get rows(): number {
    return this.#rows.length;
  }

  /** Whether the rows have the field and the chart does not create it. */
  knows(field: string): boolean {
    return this.#values(field).length > 0;
  }

  /** Returns how many rows have something in the field. */
  filled(field: string): number {
    return this.#values(field).filter((value) => (value ?? null) !== null).length;
  }

  /** Returns how many rows have a value in the field that an axis of this type can show. */
  usable(field: string, type: unknown): number {
    return this.#values(field).filter((value) => isUsable(value, type)).length;
  }

  /** Returns how many rows have a number in the field that meets the condition. */
  counted(field: string, condition: (value: number) => boolean): number {
    return this.#values(field).filter((value) => typeof value === 'number' && condition(value)).length;
  }

  /** Returns the distance between a field's smallest and largest number; `undefined` if the rows have no numbers in it. */
  span(field: string): number | undefined {
    const values = this.#values(field).filter((value): value is number => typeof value === 'number');
    if (values.length === 0) return undefined;
    let [least, most] = [Infinity, -Infinity];
    for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
    return most - least;
  }

  /**
   * Returns how many different combinations of values the fields have; a field created by a transform may have a different value
   * in each row.
   */
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

  /** Returns the values of a field, whose name is parsed as Vega does; an empty list for an unknown field. */
  #values(field: string): readonly unknown[] {
    const name = field.replaceAll(/\\/g, '').replaceAll(/\[["']?|["']?\]/g, '');
    if (this.#made.has(name) || this.#made.has(field)) return [];
    return this.#rows.some((row) => Object.hasOwn(row, name)) ? this.#rows.map((row) => row[name]) : [];
  }
}

function isUsable(value: unknown, type: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  if (type === 'quantitative') return typeof value !== 'object' && Number.isFinite(Number(value));
  if (type === 'temporal') return Number.isFinite(typeof value === 'string' ? Date.parse(value) : Number(value));
  return true;
}
