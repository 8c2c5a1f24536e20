import { yaml } from '#support/language/raw.ts';
import { type Answer, ORDERS, lastFilter, average, fence, add, answer, after, replaced } from './kit.ts';

export const changedMembers: readonly Answer[] = [
  answer(
    'a key that the cube does not have',
    ORDERS,
    add(
      ORDERS,
      yaml`
        cubes:
          - name: orders
            data_source: warehouse`,
    ),
    after('        granularity: day', '    data_source: warehouse'),
  ),
  answer(
    'another title of the cube',
    ORDERS,
    add(
      ORDERS,
      yaml`
        cubes:
          - name: orders
            title: All orders`,
    ),
    replaced('title: Orders', 'title: All orders'),
  ),
  answer(
    'one property of a measure',
    ORDERS,
    add(
      ORDERS,
      yaml`
        measures:
          - name: total
            format: percent`,
    ),
    replaced('format: currency', 'format: percent'),
  ),
  answer(
    'another definition of a measure, which keeps its title',
    ORDERS,
    add(
      ORDERS,
      yaml`
        measures:
          - name: total
            sql: net_amount
            type: sum`,
    ),
    {
      becomes: (file) =>
        file.replace('sql: amount', 'sql: net_amount').replace(`\n        filters:\n${lastFilter}`, ''),
    },
  ),
  answer(
    'a measure that is elided',
    ORDERS,
    add(
      ORDERS,
      yaml`
        measures:
          - name: total
            # ...
            sql: net_amount
            type: sum`,
    ),
    replaced('sql: amount', 'sql: net_amount'),
  ),
  answer(
    'a cube that is elided',
    ORDERS,
    add(
      ORDERS,
      yaml`
        cubes:
          - name: orders
            # ... existing dimensions ...

            measures:
              # ... existing measures ...
        ${average}`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'a cube with lines of dots',
    ORDERS,
    add(
      ORDERS,
      yaml`
        cubes:
          - name: orders
            ...
            measures:
              ...
        ${average}`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'a cube that is elided in words',
    ORDERS,
    add(
      ORDERS,
      yaml`
        cubes:
          - name: orders
            # keep all other properties
            measures:
              # existing measures
        ${average}
            # rest of the file unchanged`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'values that are elided',
    ORDERS,
    add(
      ORDERS,
      yaml`
        cubes:
          - name: orders
            dimensions: ...
            joins: [...]
            measures:
        ${average}`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'a block in a list',
    ORDERS,
    `1. Open \`${ORDERS}\` and add:\n\n   \`\`\`yaml\n   measures:\n     - name: average\n       sql: amount\n       type: avg\n   \`\`\`\n`,
    after(lastFilter, average),
  ),
  answer(
    'a block under a heading with the path',
    ORDERS,
    `### ${ORDERS}\n\nAdd the measure:\n\n${fence('yaml', average)}`,
    after(lastFilter, average),
  ),
  answer('a path in the fence', ORDERS, fence(`yaml ${ORDERS}`, average), after(lastFilter, average)),
  answer('a path in a comment', ORDERS, fence('yaml', `# ${ORDERS}\n${average}`), after(lastFilter, average)),
  answer(
    'a path that is not marked',
    ORDERS,
    `In ${ORDERS}, add:\n\n${fence('yaml', average)}`,
    after(lastFilter, average),
  ),
  answer(
    'two blocks for one file',
    ORDERS,
    `${add(ORDERS, average)}\n${add(
      ORDERS,
      yaml`
        - name: city
          sql: city
          type: string`,
    )}`,
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
  answer(
    'what is wrong and what is right',
    ORDERS,
    `The mistake is in \`${ORDERS}\`:\n\n${fence('yaml', '    title: Orders')}\n${add(
      ORDERS,
      yaml`
        cubes:
          - name: orders
            title: All orders`,
    )}`,
    replaced('title: Orders', 'title: All orders'),
  ),
];
