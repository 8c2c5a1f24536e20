import { jinja, js, yaml } from '#support/language/raw.ts';

/** Files that answers are about. */
export const files: Readonly<Record<string, string>> = {
  'model/cubes/orders.yml': yaml`
    # Owned by the sales team.
    cubes:
      - name: orders
        sql_table: public.orders
        title: Orders

        joins:
          - name: customers
            relationship: many_to_one
            sql: "{CUBE}.customer_id = {customers.id}"

        dimensions:
          - name: id
            sql: id
            type: number
            primary_key: true
          # What the warehouse calls it.
          - name: status
            sql: status
            type: string
            description: Where the order is.

        measures:
          - name: count
            type: count
          - name: total # gross
            sql: amount
            type: sum
            title: Total
            format: currency
            filters:
              - sql: "{CUBE}.status = 'paid'"

        pre_aggregations:
          - name: daily
            measures: [count]
            time_dimension: created_at
            granularity: day
  `,
  'model/cubes/shop.yml': yaml`
    cubes:
      - name: stores
        sql_table: stores

        dimensions:
          - name: id
            sql: id
            type: number
            primary_key: true

          - name: city
            sql: city
            type: string

        measures:
          - name: count
            type: count

      - name: suppliers
        sql_table: suppliers
        dimensions:
          - name: id
            sql: id
            type: number
            primary_key: true
        measures:
          - name: supplier_count
            type: count
  `,
  'model/views/sales.yml': yaml`
    views:
      - name: sales
        cubes:
          - join_path: orders
            includes:
              - count
              - total
          - join_path: orders.customers
            prefix: true
            includes: [name, city]
  `,
  'model/cubes/returns.js': js`
    // Goods that came back.
    cube(\`returns\`, {
      sql_table: \`public.returns\`,

      joins: {
        orders: {
          relationship: \`many_to_one\`,
          sql: \`\${CUBE}.order_id = \${orders}.id\`,
        },
      },

      dimensions: {
        id: { sql: \`id\`, type: \`number\`, primary_key: true },
        reason: {
          sql: \`reason\`,
          type: \`string\`, // free text
        },
      },

      measures: {
        count: {
          type: \`count\`,
        }
      },
    });
  `,
  'model/cubes/stores.yml.jinja': jinja`
    cubes:
      - name: stores
        sql_table: stores
        measures:
          - name: count
            type: count
    {%- for city in cities() %}
          - name: count_{{ city }}
            type: count
    {%- endfor %}
  `,
};
