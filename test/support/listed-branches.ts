import { listBranches } from '#api/resources/branches.ts';

/** A branch in the local platform's list; the deploy branch has no parent. */
export interface ListedBranch {
  readonly name: string;
  readonly parentBranch: string | null;
}

/** Intercepts a client's requests: `change` modifies each listed branch. */
export function listingBranches(change: (branch: ListedBranch) => ListedBranch) {
  return changingList((branches) => branches.map((branch) => change(branch)));
}

/** Intercepts a client's requests: the platform lists exactly these branches. */
export function listingOnly(branches: readonly ListedBranch[]) {
  return changingList(() => branches);
}

function changingList(change: (branches: readonly ListedBranch[]) => readonly ListedBranch[]) {
  return async (request: Request, send: (request: Request) => Promise<Response>): Promise<Response> => {
    const response = await send(request);
    const isList = request.method === listBranches.method && new URL(request.url).pathname.endsWith('/branches');
    if (!isList) return response;
    const { data } = (await response.json()) as { readonly data: readonly ListedBranch[] };
    return Response.json({ data: change(data) });
  };
}

/** Makes the named branch, and no other, the one that production is built from. */
export function builtFrom(name: string): (branch: ListedBranch) => ListedBranch {
  return (branch) => ({ ...branch, parentBranch: branch.name === name ? null : (branch.parentBranch ?? name) });
}
