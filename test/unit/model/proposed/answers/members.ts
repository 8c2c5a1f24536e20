import { indented, yaml } from '#support/language/raw.ts';
import { type Answer, ORDERS, lastFilter, average, add, answer, after } from './kit.ts';

export const members: readonly Answer[] = [
  answer(
    'a list of one measure at column 0',
    ORDERS,
    add(
      ORDERS,
      yaml`
        - name: average
          sql: amount
          type: avg`,
    ),
    after(lastFilter, average),
  ),
  answer('a measure with the indentation of the file', ORDERS, add(ORDERS, average), after(lastFilter, average)),
  answer(
    'a measure as a bare map',
    ORDERS,
    add(
      ORDERS,
      yaml`
        name: average
        sql: amount
        type: avg`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'a list under its section',
    ORDERS,
    add(
      ORDERS,
      yaml`
        measures:
          - name: average
            sql: amount
            type: avg`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'a section that is indented as in the file',
    ORDERS,
    add(
      ORDERS,
      yaml`
            measures:
        ${average}`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'a section whose list is not indented',
    ORDERS,
    add(
      ORDERS,
      yaml`
        measures:
        - name: average
          sql: amount
          type: avg`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'a cube with only the new member',
    ORDERS,
    add(
      ORDERS,
      yaml`
        cubes:
          - name: orders
            measures:
        ${average}`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'a cube as a list item',
    ORDERS,
    add(
      ORDERS,
      yaml`
        - name: orders
          measures:
            - name: average
              sql: amount
              type: avg`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'a cube as a bare map',
    ORDERS,
    add(
      ORDERS,
      yaml`
        name: orders
        measures:
          - name: average
            sql: amount
            type: avg`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'four spaces for each level',
    ORDERS,
    add(
      ORDERS,
      yaml`
        cubes:
            - name: orders
              measures:
                  - name: average
                    sql: amount
                    type: avg`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'tabs',
    ORDERS,
    add(ORDERS, `measures:\n\t- name: average\n\t  sql: amount\n\t  type: avg`),
    after(lastFilter, average),
  ),
  answer(
    'Windows line ends',
    ORDERS,
    add(
      ORDERS,
      yaml`
        measures:
          - name: average
            sql: amount
            type: avg`,
    ).replaceAll('\n', '\r\n'),
    after(lastFilter, average),
  ),
  answer(
    'a fence without a language',
    ORDERS,
    add(
      ORDERS,
      yaml`
        - name: average
          sql: amount
          type: avg`,
      '',
    ),
    after(lastFilter, average),
  ),
  answer(
    'a measure with a comment above',
    ORDERS,
    add(
      ORDERS,
      yaml`
        measures:
          # Of paid orders.
          - name: average
            sql: amount
            type: avg # rounded`,
    ),
    after(lastFilter, `      # Of paid orders.\n${average} # rounded`),
  ),
  answer(
    'a new measure after one that is there',
    ORDERS,
    add(
      ORDERS,
      yaml`
        measures:
          - name: count
            type: count
          - name: average
            sql: amount
            type: avg`,
    ),
    after('        type: count', average),
  ),
  answer(
    'a dimension in braces',
    ORDERS,
    add(ORDERS, '- { name: city, sql: city, type: string }'),
    after('        description: Where the order is.', '      - { name: city, sql: city, type: string }'),
  ),
  answer(
    'two measures',
    ORDERS,
    add(
      ORDERS,
      yaml`
        - name: low
          sql: amount
          type: min
        - name: high
          sql: amount
          type: max`,
    ),
    after(
      lastFilter,
      indented(
        6,
        yaml`
          - name: low
            sql: amount
            type: min
          - name: high
            sql: amount
            type: max`,
      ),
    ),
  ),
  answer(
    'a segment where the file has none',
    ORDERS,
    add(
      ORDERS,
      yaml`
        segments:
          - name: paid
            sql: "{CUBE}.status = 'paid'"`,
    ),
    after(
      '        granularity: day',
      indented(
        4,
        yaml`
          segments:
            - name: paid
              sql: "{CUBE}.status = 'paid'"`,
      ),
    ),
  ),
  answer(
    'a join',
    ORDERS,
    add(
      ORDERS,
      yaml`
        - name: stores
          relationship: many_to_one
          sql: "{CUBE}.store_id = {stores.id}"`,
    ),
    after(
      '        sql: "{CUBE}.customer_id = {customers.id}"',
      indented(
        6,
        yaml`
          - name: stores
            relationship: many_to_one
            sql: "{CUBE}.store_id = {stores.id}"`,
      ),
    ),
  ),
  answer(
    'a pre-aggregation',
    ORDERS,
    add(
      ORDERS,
      yaml`
        - name: monthly
          measures: [total]
          time_dimension: created_at
          granularity: month`,
    ),
    after(
      '        granularity: day',
      indented(
        6,
        yaml`
          - name: monthly
            measures: [total]
            time_dimension: created_at
            granularity: month`,
      ),
    ),
  ),
  answer(
    'members of two sections',
    ORDERS,
    add(
      ORDERS,
      `dimensions:\n  - name: city\n    sql: city\n    type: string\nmeasures:\n${average.replaceAll(/^ {4}/gm, '')}`,
    ),
    {
      becomes: (file) =>
        file
          .replace(
            'Where the order is.\n',
            yaml`
              Where the order is.
                    - name: city
                      sql: city
                      type: string
            `,
          )
          .replace(`${lastFilter}\n`, `${lastFilter}\n${average}\n`),
    },
  ),
];
