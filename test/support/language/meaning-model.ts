/** Lists of a cube `orders` to which a case adds. */
export interface Slots {
  readonly dimensions?: string;
  readonly measures?: string;
  readonly segments?: string;
  readonly joins?: string;
  readonly more?: string;
  readonly sql?: string;
}

/** Writes a model with a slot's lists. */
export const modelWith = ({
  dimensions = '',
  measures = '',
  segments = '',
  joins = '',
  more = '',
  sql,
}: Slots): string => `cubes:
  - name: orders
    ${sql ?? 'sql_table: orders'}
    joins:
      - {name: users, relationship: many_to_one, sql: "{CUBE}.user_id = {users.id}"}
      - {name: items, relationship: one_to_many, sql: "{CUBE}.id = {items.order_id}"}
      ${joins}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: status, sql: status, type: string}
      - {name: created_at, sql: created_at, type: time}
      ${dimensions}
    measures:
      - {name: count, type: count}
      - {name: revenue, type: sum, sql: amount}
      ${measures}
    segments:
      - {name: paid, sql: "{CUBE}.paid"}
      ${segments}
    ${more}
  - name: users
    sql_table: users
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: city, sql: city, type: string}
  - name: items
    sql_table: items
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: order_id, sql: order_id, type: number}
      - {name: price, sql: price, type: number}
    measures:
      - {name: total, type: sum, sql: price}
  - name: lone
    sql_table: lone
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
`;
