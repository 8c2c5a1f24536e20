export { confirmKeyHost } from './confirm-key-host.ts';
export type { SignInDeps } from './deps.ts';
export { pickAccount, signIn } from './sign-in.ts';
