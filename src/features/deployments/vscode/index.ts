export { refreshWorkspace } from './deployment-commands.ts';
