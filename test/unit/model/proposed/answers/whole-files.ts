import { indented, js, prose, yaml } from '#support/language/raw.ts';
import { type Answer, ORDERS, orders, lastFilter, fence, add, answer, after, replaced } from './kit.ts';

export const wholeFiles: readonly Answer[] = [
  answer(
    'the whole file, changed',
    ORDERS,
    fence(`yaml ${ORDERS}`, orders.replace('title: Orders', 'title: All orders').trimEnd()),
    replaced('title: Orders', 'title: All orders'),
  ),
  answer(
    'the whole file without a comment',
    ORDERS,
    fence(`yaml ${ORDERS}`, orders.replace('      # What the warehouse calls it.\n', '').trimEnd()),
    replaced('      # What the warehouse calls it.\n', ''),
  ),
  answer('the whole file as it is', ORDERS, fence(`yaml ${ORDERS}`, orders.trimEnd()), 'quote'),
  answer(
    'the whole file but for one measure',
    ORDERS,
    fence(
      `yaml ${ORDERS}`,
      orders
        .replace(
          indented(
            6,
            yaml`
              - name: count
                type: count
            `,
          ),
          '',
        )
        .trimEnd(),
    ),
    { draft: 'It leaves out the measure “count” of “orders”. Only a patch removes something.' },
  ),
  answer(
    'the whole file but for its table',
    ORDERS,
    fence(
      `yaml ${ORDERS}`,
      orders.replace('    sql_table: public.orders\n', '').replace('title: Orders', 'title: All orders').trimEnd(),
    ),
    replaced('title: Orders', 'title: All orders'),
  ),
  answer(
    'the whole file with a query instead of the table',
    ORDERS,
    fence(`yaml ${ORDERS}`, orders.replace('sql_table: public.orders', 'sql: SELECT * FROM orders').trimEnd()),
    replaced('sql_table: public.orders', 'sql: SELECT * FROM orders'),
  ),

  answer(
    'a patch',
    ORDERS,
    fence(
      'diff',
      prose`
        --- a/${ORDERS}
        +++ b/${ORDERS}
        @@ -24,3 +24,3 @@
                 type: sum
        -        title: Total
        +        title: Grand total
                 format: currency`,
    ),
    replaced('title: Total', 'title: Grand total'),
  ),
  answer(
    'a patch with wrong line numbers',
    ORDERS,
    fence(
      'diff',
      prose`
        --- a/${ORDERS}
        +++ b/${ORDERS}
        @@ -1,9 +1,2 @@
        -        title: Total
        +        title: Grand total`,
    ),
    replaced('title: Total', 'title: Grand total'),
  ),
  answer(
    'a patch that removes a measure by name',
    ORDERS,
    fence(
      'diff',
      prose`
        --- a/${ORDERS}
        +++ b/${ORDERS}
        @@
             measures:
        -      - name: count
        -        type: count
               - name: total # gross`,
    ),
    {
      ...replaced(
        indented(
          6,
          yaml`
            - name: count
              type: count
          `,
        ),
        '',
      ),
      removes: ['["cube","orders"] ["measures","count"]'],
    },
  ),
  answer(
    'a patch that makes the file unreadable',
    ORDERS,
    fence(
      'diff',
      prose`
        --- a/${ORDERS}
        +++ b/${ORDERS}
        @@
        -    measures:
        +  measures
               - name: count`,
    ),
    { draft: 'The result cannot be read as a model.' },
  ),
  answer(
    'a patch that does not fit',
    ORDERS,
    fence(
      'diff',
      prose`
        --- a/${ORDERS}
        +++ b/${ORDERS}
        @@
        -        title: Sum
        +        title: Grand total`,
    ),
    { draft: 'The patch does not fit the file.' },
  ),
  answer(
    'a patch without headers',
    ORDERS,
    add(
      ORDERS,
      yaml`
                 type: sum
        -        title: Total
        +        title: Grand total`,
      'diff',
    ),
    replaced('title: Total', 'title: Grand total'),
  ),

  answer(
    'a line of the file that is quoted',
    ORDERS,
    `The build fails because of line 4 in \`${ORDERS}\`:\n\n${fence('yaml', '    sql_table: public.orders')}`,
    'quote',
  ),
  answer(
    'lines of the file that are quoted',
    ORDERS,
    `\`${ORDERS}\` has:\n\n${fence(
      'yaml',
      yaml`
        - name: status
          sql: status
          type: string`,
    )}`,
    'quote',
  ),
  answer(
    'a quotation with elisions',
    ORDERS,
    `\`${ORDERS}\` has:\n\n${fence(
      'yaml',
      yaml`
        cubes:
          - name: orders
            # ...
            measures:
              - name: count
                type: count
            # ...`,
    )}`,
    'quote',
  ),
  answer(
    'an error message',
    ORDERS,
    `Compiling \`${ORDERS}\` says:\n\n${fence(
      '',
      yaml`
        Error: orders cube: "measures.total" is not allowed
            at line 12`,
    )}`,
    'quote',
  ),
  answer(
    'a query',
    ORDERS,
    `With \`${ORDERS}\` you can ask:\n\n${fence('sql', 'SELECT name, type FROM orders')}`,
    'quote',
  ),
  answer('a command', ORDERS, `Check \`${ORDERS}\`:\n\n${fence('bash', 'grep -n "name: total" orders.yml')}`, 'quote'),
  answer(
    'output of a shell',
    ORDERS,
    `This is \`${ORDERS}\`:\n\n${fence(
      'console',
      yaml`
        $ cat orders.yml
        name: orders`,
    )}`,
    'quote',
  ),
  answer(
    'rows of data as JSON',
    ORDERS,
    `\`${ORDERS}\` gives:\n\n${fence('json', '[{ "name": "paid", "type": "status" }]')}`,
    'quote',
  ),
  answer(
    'a line that is wrong in another way than the file',
    ORDERS,
    `The mistake in \`${ORDERS}\` is:\n\n${fence('yaml', '    sql_table: publc.orders')}`,
    { draft: 'It does not say which cube or view it belongs to.' },
  ),
  answer(
    'one property alone',
    ORDERS,
    add(
      ORDERS,
      yaml`
        format: percent
        type: number`,
    ),
    { draft: 'It does not say which cube or view it belongs to.' },
  ),
  answer(
    'a member of unknown kind',
    ORDERS,
    add(
      ORDERS,
      yaml`
        - name: ratio
          sql: "{total} / {count}"
          type: number`,
    ),
    { draft: 'It does not say what kind of members it holds.' },
  ),
  answer(
    'a member of unknown kind that the sentence names',
    ORDERS,
    `Add this measure to \`${ORDERS}\`:\n\n${fence(
      'yaml',
      yaml`
        - name: ratio
          sql: "{total} / {count}"
          type: number`,
    )}`,
    after(
      lastFilter,
      indented(
        6,
        yaml`
          - name: ratio
            sql: "{total} / {count}"
            type: number`,
      ),
    ),
  ),
  answer(
    'broken indentation',
    ORDERS,
    add(
      ORDERS,
      yaml`
        measures:
          - name: average
           sql: amount
             type: avg`,
    ),
    { draft: 'It cannot be read as YAML.' },
  ),
  answer(
    'JavaScript for a YAML file',
    ORDERS,
    add(
      ORDERS,
      js`
        measures: {
          average: { sql: \`amount\`, type: \`avg\` },
        }`,
      'js',
    ),
    { draft: 'It cannot be read as YAML.' },
  ),
  answer(
    'a cube in JavaScript for a YAML file',
    ORDERS,
    add(
      ORDERS,
      js`
        cube(\`orders\`, {
          measures: { average: { sql: \`amount\`, type: \`avg\` } },
        });`,
      'js',
    ),
    { draft: 'It cannot be read as YAML.' },
  ),
  answer(
    'a search and its replacement',
    ORDERS,
    add(
      ORDERS,
      yaml`
        <<<<<<< SEARCH
                title: Total
        =======
                title: Grand total
        >>>>>>> REPLACE`,
    ),
    replaced('title: Total', 'title: Grand total'),
  ),
  answer(
    'a search that finds nothing',
    ORDERS,
    add(
      ORDERS,
      yaml`
        <<<<<<< SEARCH
                title: Sum
        =======
                title: Grand total
        >>>>>>> REPLACE`,
    ),
    { draft: 'The patch does not fit the file.' },
  ),
  answer(
    'a part of a cube that the file does not have',
    ORDERS,
    add(
      ORDERS,
      yaml`
        cubes:
          - name: payments
            measures:
              - name: total
                sql: amount
                type: sum`,
    ),
    { draft: 'It is only a part of the cube “payments”, which this file does not define.' },
  ),
  answer(
    'a part of a cube as a new file',
    'model/cubes/order.yml',
    add(
      'model/cubes/order.yml',
      yaml`
        cubes:
          - name: orders
            measures:
              - name: total
                sql: amount
                type: sum`,
    ),
    { draft: 'It is only a part of the cube “orders”, which this file does not define.' },
  ),
  answer(
    'the path as all that the fence says',
    ORDERS,
    fence(ORDERS, orders.replace('title: Orders', 'title: All orders').trimEnd()),
    replaced('title: Orders', 'title: All orders'),
  ),
  answer(
    'a path with the slashes of Windows',
    ORDERS,
    fence(
      'yaml',
      `# ${ORDERS.replaceAll('/', '\\')}\n${orders.replace('title: Orders', 'title: All orders').trimEnd()}`,
    ),
    replaced('title: Orders', 'title: All orders'),
  ),
];
