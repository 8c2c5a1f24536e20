/**
 * The file in a linked folder that names the deployment of its model. It is safe to commit: it contains no secrets and no branch.
 */
export const linkFileName = 'modelbench.json';
