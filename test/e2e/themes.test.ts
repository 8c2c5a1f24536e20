import { describe, expect, it } from 'vitest';
import { journey } from './journey.ts';

describe('the window in each theme', () => {
  it('shows views, editor, problems and chat', async () => {
    await journey('themes', { signedIn: true }, async ({ workbench, host }) => {
      await workbench.openContainer('Modelbench');
      await workbench.widenSideBar(400);
      await workbench.row('Branches', 'main').waitFor();
      await workbench.rowAction(workbench.row('Branches', 'main'), 'Start Dev Mode…');
      await workbench.status(/dev-\S+ · ✓ · .*built/s).waitFor();
      await workbench.openFile('orders.yml');
      await workbench.typeBelow(4, '    extends: nothing');
      await workbench.save();
      await workbench.status(/failed/).waitFor();
      await workbench.notification(/The build of .* failed/).waitFor();
      await workbench.pictures('build-failed', {});
      const chat = await workbench.openChat();
      await chat.getByRole('heading', { name: 'Ask about your data' }).waitFor();
      await workbench.pictures('chat', {});
      expect(host.output()).not.toContain('Unhandled');
    });
  });
});
