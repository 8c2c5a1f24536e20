import { indented, yaml } from '#support/language/raw.ts';
import { type Answer, SHOP, SALES, fence, add, answer, after, replaced } from './kit.ts';

export const cubesAndViews: readonly Answer[] = [
  answer(
    'a member whose cube is not named, of a file with two',
    SHOP,
    add(
      SHOP,
      yaml`
        - name: average
          sql: size
          type: avg`,
    ),
    { draft: 'It does not say which cube or view it belongs to.' },
  ),
  answer(
    'a member whose cube the sentence names',
    SHOP,
    `Add this to the \`suppliers\` cube in \`${SHOP}\`:\n\n${fence(
      'yaml',
      yaml`
        - name: average
          sql: size
          type: avg`,
    )}`,
    after(
      indented(
        6,
        yaml`
          - name: supplier_count
            type: count`,
      ),
      indented(
        6,
        yaml`
          - name: average
            sql: size
            type: avg`,
      ),
    ),
  ),
  answer(
    'a member that only one cube has',
    SHOP,
    `Change it in \`${SHOP}\`:\n\n${fence(
      'yaml',
      yaml`
        - name: supplier_count
          type: count_distinct
          sql: code`,
    )}`,
    replaced(
      indented(
        6,
        yaml`
          - name: supplier_count
            type: count`,
      ),
      indented(
        6,
        yaml`
          - name: supplier_count
            type: count_distinct
            sql: code`,
      ),
    ),
  ),
  answer(
    'one cube of two',
    SHOP,
    fence(
      `yaml ${SHOP}`,
      yaml`
        cubes:
          - name: suppliers
            sql_table: all_suppliers`,
    ),
    replaced('sql_table: suppliers', 'sql_table: all_suppliers'),
  ),
  answer(
    'a third cube',
    SHOP,
    fence(
      `yaml ${SHOP}`,
      yaml`
        cubes:
          - name: clerks
            sql_table: clerks`,
    ),
    {
      becomes: (file) => `${file}\n  - name: clerks\n    sql_table: clerks\n`,
    },
  ),
  answer(
    'a new dimension in a list with free lines',
    SHOP,
    fence(
      `yaml ${SHOP}`,
      yaml`
        cubes:
          - name: stores
            dimensions:
              - name: street
                sql: street
                type: string`,
    ),
    after(
      indented(
        8,
        yaml`
          sql: city
          type: string`,
      ),
      '\n      - name: street\n        sql: street\n        type: string',
    ),
  ),
  answer(
    'both cubes, each with a part',
    SHOP,
    fence(
      `yaml ${SHOP}`,
      yaml`
        cubes:
          - name: stores
            title: Stores
          - name: suppliers
            title: Suppliers`,
    ),
    {
      becomes: (file) =>
        file
          .replace('  - name: stores\n', '  - name: stores\n')
          .replace(
            indented(
              6,
              yaml`
                - name: count
                  type: count
              `,
            ),
            indented(
              4,
              yaml`
                  - name: count
                    type: count
                title: Stores
              `,
            ),
          )
          .replace(/$/, '    title: Suppliers\n'),
    },
  ),
  answer(
    'a view for a file of cubes',
    SHOP,
    fence(
      `yaml ${SHOP}`,
      yaml`
        views:
          - name: shop
            cubes:
              - join_path: stores
                includes: "*"`,
    ),
    {
      becomes: (file) =>
        `${file}\nviews:\n  - name: shop\n    cubes:\n      - join_path: stores\n        includes: "*"\n`,
    },
  ),

  answer(
    'a member that a view includes',
    SALES,
    add(
      SALES,
      yaml`
        cubes:
          - join_path: orders
            includes:
              - average`,
    ),
    after('          - total', '          - average'),
  ),
  answer(
    'a member that a view includes, in one line',
    SALES,
    add(
      SALES,
      yaml`
        views:
          - name: sales
            cubes:
              - join_path: orders.customers
                includes: [name, street]`,
    ),
    replaced('[name, city]', '[name, city, street]'),
  ),
  answer(
    'another cube of a view',
    SALES,
    add(
      SALES,
      yaml`
        - join_path: orders.stores
          includes: "*"`,
    ),
    after(
      '        includes: [name, city]',
      indented(
        6,
        yaml`
          - join_path: orders.stores
            includes: "*"`,
      ),
    ),
  ),
  answer(
    'a view with fewer members',
    SALES,
    fence(
      `yaml ${SALES}`,
      yaml`
        views:
          - name: sales
            cubes:
              - join_path: orders
                includes:
                  - total`,
    ),
    'quote',
  ),
  answer(
    'everything instead of a list',
    SALES,
    add(
      SALES,
      yaml`
        cubes:
          - join_path: orders
            includes: "*"`,
    ),
    { draft: 'It would remove the “count” that “sales” includes from “orders” and 1 more.' },
  ),
];
