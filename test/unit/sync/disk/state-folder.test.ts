import { describe, expect, it, vi } from 'vitest';
import { stateFolder } from '#sync/disk/state-folder.ts';

describe('the folder of what is kept of linked folders', () => {
  it.each([
    ['linux', { XDG_STATE_HOME: '/own/state' }, '/own/state/modelbench'],
    ['linux', {}, '/home/ada/.local/state/modelbench'],
    ['darwin', { XDG_STATE_HOME: '/own/state' }, '/home/ada/Library/Application Support/modelbench'],
    ['win32', { LOCALAPPDATA: String.raw`C:\Users\ada\Local` }, String.raw`C:\Users\ada\Local/modelbench`],
  ] as const)('is the one of the system on %s with %o', (platform, variables, path) => {
    expect(stateFolder(variables, platform, '/home/ada')).toBe(path);
  });

  it('is in no project: relative paths are passed over', () => {
    expect(stateFolder({ XDG_STATE_HOME: 'state' }, 'linux', '/home/ada')).toBe('/home/ada/.local/state/modelbench');
    for (const home of ['', 'relative']) {
      vi.stubEnv('HOME', home);
      expect(stateFolder({}, 'linux') ?? '/').toMatch(/^\//);
    }
    vi.unstubAllEnvs();
  });
});
