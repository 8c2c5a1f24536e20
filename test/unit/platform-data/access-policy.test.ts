import { describe, expect, it } from 'vitest';
import type { SecurityContext, SemanticQuery } from '#platform/engine/index.ts';
import { realEngine } from '#support/real-engine.ts';
import { yaml } from '#support/language/raw.ts';

const engine = realEngine();

const content = yaml`
  cubes:
    - name: orders
      sql_table: orders
      dimensions:
        - { name: id, sql: id, type: number, primary_key: true, public: true }
        - { name: region, sql: region, type: string }
        - { name: email, sql: email, type: string, mask: "'***'" }
        - { name: secret, sql: secret, type: string }
      measures:
        - { name: count, type: count }
      access_policy:
        - group: manager
          member_level: { includes: "*" }
        - group: analyst
          member_level: { includes: "*", excludes: [secret, email] }
          member_masking: { includes: [email] }
          row_level:
            filters:
              - { member: region, operator: equals, values: ["{ securityContext.region }"] }
        - group: auditor
          conditions:
            - if: "{ securityContext.on_duty }"
          member_level: { includes: [id, count] }
  views:
    - name: overview
      cubes:
        - { join_path: orders, includes: [count, region, secret] }
`;
const files = [{ fileName: 'model/orders.yml', content }];

const blank: SemanticQuery = {
  measures: [],
  dimensions: [],
  timeDimensions: [],
  filters: [],
  segments: [],
  timezone: 'UTC',
  limit: 10,
  offset: 0,
};

async function membersOf(context: SecurityContext, cube = 'orders'): Promise<readonly string[]> {
  const result = await engine.compile(files, context);
  if (!result.ok) throw new Error(result.errorText);
  const found = result.meta.find(({ name }) => name === cube);
  return [...(found?.measures ?? []), ...(found?.dimensions ?? [])].map(({ name }) => name.split('.')[1] ?? '').sort();
}

describe('access policies', () => {
  it('show each group its members, and nothing to whom no policy matches', async () => {
    expect(await membersOf({ groups: ['manager'] })).toEqual(['count', 'email', 'id', 'region', 'secret']);
    expect(await membersOf({ groups: ['analyst'] })).toEqual(['count', 'email', 'id', 'region']);
    expect(await membersOf({ groups: ['analyst', 'manager'] })).toContain('secret');
    expect(await membersOf({})).toEqual([]);
    expect(await membersOf({ cubeCloud: { groups: ['manager'] } })).toContain('secret');
  });

  it('count a policy only while its conditions hold', async () => {
    expect(await membersOf({ groups: ['auditor'], on_duty: true })).toEqual(['count', 'id']);
    expect(await membersOf({ groups: ['auditor'], on_duty: false })).toEqual([]);
  });

  it('keep everything for a compile without a security context', async () => {
    const result = await engine.compile(files);
    expect(result.ok && result.meta[0]?.dimensions).toHaveLength(4);
  });

  it('refuse a query for a hidden member', async () => {
    const query = { ...blank, dimensions: ['orders.secret'] };
    expect(await engine.sql(files, query, { groups: ['analyst'] })).toEqual({
      ok: false,
      type: 'UserError',
      error: "You requested hidden member: 'orders.secret'. Please make it visible using `public: true`",
    });
    expect(await engine.sql(files, query, { groups: ['manager'] })).toMatchObject({ ok: true });
  });

  it('add row filters, but not for whom another policy frees', async () => {
    const query = { ...blank, measures: ['orders.count'] };
    const sqlFor = async (context: SecurityContext): Promise<string> => {
      const result = await engine.sql(files, query, context);
      return result.ok ? `${result.value.sql} ${JSON.stringify(result.value.params)}` : result.error;
    };
    expect(await sqlFor({ groups: ['analyst'], region: 'North' })).toMatch(/region = \?.*\["North"\]/s);
    expect(await sqlFor({ groups: ['analyst', 'manager'], region: 'North' })).not.toContain('North');
    expect(await sqlFor({})).toContain('hidden member');
  });

  it('read the attributes and groups of a user, and show nothing where one is missing', async () => {
    const policy = content.replace('{ securityContext.region }', '{ userAttributes.region }');
    const own = [{ fileName: 'model/orders.yml', content: policy }];
    const query = { ...blank, measures: ['orders.count'] };
    const paramsFor = async (context: SecurityContext): Promise<unknown> => {
      const result = await engine.sql(own, query, { groups: ['analyst'], ...context });
      return result.ok ? result.value.params : result.error;
    };
    expect(await paramsFor({ userAttributes: { region: 'East' } })).toEqual(['East']);
    expect(await paramsFor({})).toEqual(['undefined']);
  });

  it('mask what a policy masks', async () => {
    const query = { ...blank, dimensions: ['orders.email'] };
    const masked = await engine.sql(files, query, { groups: ['analyst'], region: 'North' });
    expect(masked.ok && masked.value.params).toContain('***');
    const clear = await engine.sql(files, query, { groups: ['manager'] });
    expect(clear.ok && clear.value.params).toEqual([]);
  });

  it('let a view open members, and keep the rows beneath it restricted', async () => {
    expect(await membersOf({ groups: ['analyst'] }, 'overview')).toEqual(['count', 'region', 'secret']);
    const query = { ...blank, measures: ['overview.count'] };
    const result = await engine.sql(files, query, { groups: ['analyst'], region: 'West' });
    expect(result.ok && result.value.params).toEqual(['West']);
  });
});
