import { describe, expect, it } from 'vitest';
import { createdDeployment } from '#features/deployments/created-deployment.ts';
import { fetchDeployments, fetchEnvironments } from '#features/platform/gateway.ts';
import { AdminData } from '#features/administration/admin-data.ts';
import { collect } from '#api/resources/pagination.ts';
import { scimUserPages } from '#api/resources/lists.ts';
import { openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';

/** Platforms that keep to what is documented and still answer otherwise than the local one. */

const isJson = (response: Response): boolean => (response.headers.get('content-type') ?? '').includes('json');

describe('a platform that caps its pages and leaves out the pagination block', () => {
  const capped = async (request: Request, send: (request: Request) => Promise<Response>): Promise<Response> => {
    const url = new URL(request.url);
    if (url.searchParams.has('limit')) url.searchParams.set('limit', '1');
    if (url.searchParams.has('count')) url.searchParams.set('count', '1');
    const response = await send(new Request(url, request));
    if (!isJson(response)) return response;
    const { pagination: _, totalResults: __, ...rest } = (await response.json()) as Record<string, unknown>;
    return Response.json(rest, { status: response.status });
  };

  it('shows every deployment, environment and user', async () => {
    const whole = await openDesk();
    const small = await openDesk({ through: capped });
    const [deployment] = await fetchDeployments(whole.client);
    expect(await fetchDeployments(small.client)).toEqual(await fetchDeployments(whole.client));
    const id = deployment?.id ?? '';
    expect(await fetchEnvironments(small.client, id)).toEqual(await fetchEnvironments(whole.client, id));
    const namesOf = async ({ client }: typeof whole): Promise<readonly unknown[]> =>
      (await collect(scimUserPages(client))).items.map(({ userName }) => userName);
    expect(await namesOf(small)).toEqual(await namesOf(whole));
    expect((await namesOf(whole)).length).toBeGreaterThan(2);
  });

  it('ends a list of users when the server sends the same page again', async () => {
    const desk = await openDesk({
      through: async (request, send) => {
        const url = new URL(request.url);
        url.searchParams.delete('startIndex');
        const response = await send(new Request(url, request));
        const { totalResults: _, ...rest } = (await response.json()) as Record<string, unknown>;
        return Response.json(rest);
      },
    });
    const admin = new AdminData({ data: { client: () => desk.client }, state: new MemoryState() });
    const users = admin.of(desk.account.id, { list: 'users' });
    await users.ensure();
    await users.loadMore();
    expect(users.state.value.value?.next).toBeUndefined();
  });
});

describe('creating a deployment', () => {
  const body = { name: 'Second', creationMethod: 'upload', deployMode: 'cli' } as const;

  it('finds the new one in the list when the answer does not name its id', async () => {
    const desk = await openDesk({
      through: async (request, send) => {
        const response = await send(request);
        return request.method === 'POST' && response.ok ? new Response('OK') : response;
      },
    });
    const id = await createdDeployment(desk.data, desk.account.id, body);
    expect(desk.data.knownDeployments(desk.account.id)?.find((each) => each.id === id)?.name).toBe('Second');
  });

  it('takes the id of the answer where there is one', async () => {
    const desk = await openDesk();
    const id = await createdDeployment(desk.data, desk.account.id, body);
    expect(desk.data.knownDeployments(desk.account.id)?.map((each) => each.id)).toContain(id);
  });
});
