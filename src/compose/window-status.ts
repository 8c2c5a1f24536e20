// In the bundle of the folders' views: what the window shows of its state needs no room in the bundle that activation waits for.
export { setContextKeys } from './context-keys.ts';
export { showStatusBar } from './status-bar.ts';
