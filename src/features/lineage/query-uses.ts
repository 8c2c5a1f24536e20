import { parseQueryFile } from '#model/query-files/query-file.ts';
import { isQueryPath } from '#model/query-files/query-path.ts';
import { goneNames, isLoss, type ModelChange, otherResults, type QueryUse } from './model-changes.ts';

/** Returns the query files among texts that use a name which is lost, retyped or redefined, or one that depends on it. */
export function queryUses(changes: readonly ModelChange[], texts: ReadonlyMap<string, string>): readonly QueryUse[] {
  const names = new Set([
    ...otherResults({ changes }),
    ...goneNames({ changes }),
    ...changes.filter((change) => isLoss(change)).map(({ name }) => name),
  ]);
  if (names.size === 0) return [];
  return [...texts].flatMap(([path, text]) => {
    if (!isQueryPath(path)) return [];
    const { queryOrSql, references, tests } = parseQueryFile(text);
    const members = references.map(({ name }) => memberIn(name)).filter((name) => isNamed(name, names));
    const used = new Set(typeof queryOrSql === 'string' ? namedInSql(queryOrSql, names) : members);
    return used.size === 0 ? [] : [{ path, tests: tests.length, names: [...used].sort() }];
  });
}

/** Returns the names whose cube or view and member both occur in a statement, whichever table the member is taken from there. */
function namedInSql(sql: string, names: ReadonlySet<string>): readonly string[] {
  const words = new Set(sql.match(/\w+/g));
  return [...names].filter((name) => name.split('.').every((word) => word === '' || words.has(word)));
}

/** Returns the member that a name of a query refers to, without a granularity. */
function memberIn(name: string): string {
  return name.split('.').slice(0, 2).join('.');
}

function isNamed(name: string, names: ReadonlySet<string>): boolean {
  return names.has(name) || names.has(`${name.split('.', 1).join('')}.`);
}
