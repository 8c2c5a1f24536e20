/** Texts of one or more lines to insert into a model, by position. */
export interface Slots {
  readonly cube?: string;
  readonly join?: string;
  readonly condition?: string;
  readonly dimension?: string;
  readonly measure?: string;
  readonly segment?: string;
  readonly hierarchy?: string;
  readonly preAggregation?: string;
  readonly policy?: string;
  readonly users?: string;
  readonly viewCube?: string;
  readonly view?: string;
  readonly includes?: string;
  readonly after?: string;
}

/** Returns two cubes and a view that the engine accepts, with the slots inserted. */
export function modelWith(slots: Slots): string {
  const line = (text: string | undefined, indent: number): string =>
    text === undefined ? '' : `${' '.repeat(indent)}${text}\n`;
  return `cubes:
  - name: orders
    sql_table: orders
${line(slots.cube, 4)}    joins:
      - {name: users, relationship: many_to_one, sql: ${slots.condition ?? '"{CUBE}.user_id = {users.id}"'}}
${line(slots.join, 6)}    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: status, sql: status, type: string}
      - {name: created_at, sql: created_at, type: time}
${line(slots.dimension, 6)}    measures:
      - {name: count, type: count}
      - {name: total, type: sum, sql: amount}
${line(slots.measure, 6)}    segments:
      - {name: s, sql: "{CUBE}.x = 1"}
${line(slots.segment, 6)}    hierarchies:
      - {name: h, levels: [status, id]}
${line(slots.hierarchy, 6)}    pre_aggregations:
      - {name: main, measures: [count], dimensions: [status], time_dimension: created_at, granularity: day}
${line(slots.preAggregation, 6)}    access_policy:
      - {group: "*", member_level: {includes: "*"}}
${line(slots.policy, 6)}  - name: users
    ${slots.users ?? 'sql_table: users'}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: city, sql: city, type: string}
    measures:
      - {name: ucount, type: count}
views:
  - name: v
${line(slots.view, 4)}    cubes:
      - {join_path: orders, includes: ${slots.includes ?? '"*"'}}
${line(slots.viewCube, 6)}${slots.after ?? ''}`;
}

/** Indentation of a slot's lines; other slots are entries of lists in a cube. */
const INDENTATION: Readonly<Partial<Record<keyof Slots, number>>> = { cube: 4, view: 4, users: 4, after: 0 };

/** Returns the model with slots of several lines, which begin at the first column. */
export function placed(slots: Slots): string {
  const indented = (Object.entries(slots) as [keyof Slots, string][]).map(([slot, text]) => {
    const spaces = ' '.repeat(INDENTATION[slot] ?? 6);
    return [slot, slot === 'after' ? text : text.replace(/\n$/, '').replaceAll('\n', `\n${spaces}`)] as const;
  });
  return modelWith(Object.fromEntries(indented));
}
