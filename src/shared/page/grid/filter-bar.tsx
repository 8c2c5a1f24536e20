import type { Column } from '#base/cells.ts';
import type { RowCondition, RowFilter } from '#base/row-filter.ts';
import { visible } from '../visible.ts';

interface FilterProps {
  readonly columns: readonly Column[];
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
}

/** Lets the user filter rows by a column, a condition and a value. Each change takes effect at once. */
export function FilterBar({ columns, filter, onFilter }: FilterProps) {
  const needsValue = filter.condition !== 'null' && filter.condition !== 'present';
  return (
    <div class="grid-filter" role="search" aria-label="Rows">
      <select
        aria-label="Column to filter by"
        value={filter.column === undefined ? '' : String(filter.column)}
        onChange={({ currentTarget: { value } }) =>
          onFilter({ ...filter, column: value === '' ? undefined : Number(value) })
        }
      >
        <option value="">Any column</option>
        {columns.map(({ name }, at) => (
          <option key={`${at} ${name}`} dir="auto" value={String(at)}>
            {visible(name)}
          </option>
        ))}
      </select>
      <select
        aria-label="Condition"
        value={filter.condition}
        onChange={({ currentTarget: { value } }) => onFilter({ ...filter, condition: conditionOf(value) })}
      >
        {conditions.map(([condition, label]) => (
          <option key={condition} value={condition}>
            {label}
          </option>
        ))}
      </select>
      {needsValue && (
        <input
          type="search"
          dir="auto"
          aria-label="Value to filter by"
          placeholder="Filter rows"
          value={filter.value}
          onInput={({ currentTarget: { value } }) => onFilter({ ...filter, value })}
        />
      )}
    </div>
  );
}

const conditions: readonly (readonly [RowCondition, string])[] = [
  ['contains', 'contains'],
  ['excludes', 'does not contain'],
  ['equals', 'equals'],
  ['differs', 'does not equal'],
  ['above', 'is greater than'],
  ['below', 'is less than'],
  ['null', 'is null'],
  ['present', 'is not null'],
];

const conditionOf = (value: string): RowCondition =>
  conditions.find(([condition]) => condition === value)?.[0] ?? 'contains';
