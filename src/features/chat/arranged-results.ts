import { arrangedRows, isArranged, type RowArrangement } from '#base/arranged-rows.ts';
import type { Row } from '#base/cells.ts';
import type { QueryResult } from '#chat-core/tool-result.ts';

/** Rows of results, sorted and filtered as a view shows them. Caches the last arrangement, so its pages are computed once. */
export class ArrangedResults {
  readonly #last = new WeakMap<QueryResult, { readonly how: string; readonly rows: readonly Row[] }>();

  /** Returns all rows of the result that the host holds, sorted and filtered. */
  rowsOf(result: QueryResult, arrangement: RowArrangement): readonly Row[] {
    if (!isArranged(arrangement)) return result.rows;
    const how = JSON.stringify([arrangement.order, arrangement.filter]);
    const last = this.#last.get(result);
    if (last?.how === how) return last.rows;
    const rows = arrangedRows(result.rows, result.columns, arrangement);
    this.#last.set(result, { how, rows });
    return rows;
  }
}
