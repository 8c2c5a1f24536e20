export { type Account, type Accounts, comparableUrl, hostOf } from './accounts.ts';
export type { TenantSuggestion } from './tenant-suggestion.ts';
