/** A small model that most feature tests share. */
export const SHOP = `# file: cubes/users.yml
cubes:
  - name: users
    sql_table: public.users
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: city
        sql: "{CUBE}.city"
        type: string
        description: Where the user lives.
    measures:
      - name: count
        type: count
# file: cubes/orders.yml
cubes:
  - name: orders
    sql_table: public.orders
    joins:
      - name: users
        relationship: many_to_one
        sql: "{CUBE.user_id} = {users.id}"
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: user_id
        sql: user_id
        type: number
      - name: status
        sql: status
        type: string
      - name: created_at
        sql: created_at
        type: time
        granularities:
          - name: fiscal_year
            interval: 1 year
    measures:
      - name: count
        type: count
        drill_members: [id, status, users.city]
      - name: total
        sql: amount
        type: sum
        format: currency
      - name: average
        sql: "{total} / NULLIF({CUBE.count}, 0)"
        type: number
    pre_aggregations:
      - name: main
        measures: [count, total]
        dimensions: [status, users.city]
        time_dimension: created_at
        granularity: day
# file: views/shop.yml
views:
  - name: shop
    cubes:
      - join_path: orders
        includes:
          - count
          - status
          - name: total
            alias: revenue
      - join_path: orders.users
        prefix: true
        includes: [city]
    folders:
      - name: Where
        includes: [users_city, revenue]
`;

/** Returns the shop with a cursor after `before` (or between it and `after`), at its first occurrence in `file`. */
export function shopAt(file: string, before: string, after = ''): string {
  const [head = '', ...rest] = SHOP.split(`# file: ${file}\n`);
  const tail = rest.join('');
  const at = tail.indexOf(before + after);
  if (at === -1) throw new Error(`The shop has no “${before}${after}” in ${file}.`);
  return `${head}# file: ${file}\n${tail.slice(0, at + before.length)}$0${tail.slice(at + before.length)}`;
}
