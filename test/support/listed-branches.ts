import { listBranches } from '#api/branches.ts';

/** A branch as the local platform lists it; the deploy branch has no parent. */
export interface ListedBranch {
  readonly name: string;
  readonly parentBranch: string | null;
}

/** Stands between a client and the platform: branches are listed as `change` has them. */
export function listingBranches(change: (branch: ListedBranch) => ListedBranch) {
  return async (request: Request, send: (request: Request) => Promise<Response>): Promise<Response> => {
    const response = await send(request);
    const isList = request.method === listBranches.method && new URL(request.url).pathname.endsWith('/branches');
    if (!isList) return response;
    const { data } = (await response.json()) as { readonly data: readonly ListedBranch[] };
    return Response.json({ data: data.map((branch) => change(branch)) });
  };
}

/** The branches of a deployment whose production is built from the branch of this name, and from no other one. */
export function builtFrom(name: string): (branch: ListedBranch) => ListedBranch {
  return (branch) => ({ ...branch, parentBranch: branch.name === name ? null : (branch.parentBranch ?? name) });
}
