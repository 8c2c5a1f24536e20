import { parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';

/** A model with a cube of each kind of member, and a view with a prefix and an alias. */
export const QUERIED = `cubes:
  - name: orders
    sql_table: orders
    joins:
      - name: users
        relationship: many_to_one
        sql: "{CUBE}.user_id = {users}.id"
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: status
        sql: status
        type: string
      - name: created_at
        sql: created_at
        type: time
    measures:
      - name: count
        type: count
      - name: total
        sql: amount
        type: sum
    segments:
      - name: paid
        sql: "{CUBE}.status = 'paid'"
  - name: users
    sql_table: users
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: city
        sql: city
        type: string
views:
  - name: shop
    cubes:
      - join_path: orders
        includes:
          - count
          - name: total
            alias: revenue
      - join_path: orders.users
        prefix: true
        includes: [city]
`;

/** The model of `QUERIED`. */
export function queriedModel(): ModelIndex {
  const index = new ModelIndex();
  index.set(parseFile('model/shop.yml', QUERIED));
  return index;
}
