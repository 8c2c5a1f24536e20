export { refreshWorkspace } from './refresh.ts';
