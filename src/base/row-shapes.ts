import * as v from 'valibot';
import { count, text } from './message-shapes.ts';
import { rowConditions } from './row-filter.ts';

/** A column of a table of rows, with its type. */
export const column = v.object({ name: text, type: text });
/** Rows of cells as text; `null` is a SQL NULL. */
export const rows = v.array(v.array(v.nullable(text)));

/** The column that rows are sorted by (`RowOrder`). */
export const rowOrder = v.object({ column: count, descending: v.boolean() });
/** The condition that rows must meet (`RowFilter`). */
export const rowFilter = v.object({ column: v.optional(count), condition: v.picklist(rowConditions), value: text });
