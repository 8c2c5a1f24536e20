import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demo } from '#platform/seed/names.ts';
import { ask } from './ask.ts';
import { journey } from './journey.ts';
import { devBranch, remoteFile } from './platform-state.ts';

const file = 'model/cubes/suppliers.yml';
const sample = join(import.meta.dirname, '../platform/data/sample', file);

/** A model service that answers everything with the same words. */
async function modelThatSays(text: string): Promise<string> {
  const server: Server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\ndata: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe('a model change that the agent proposes', () => {
  it('is reviewed as a diff and reaches the dev branch only when it is accepted', async () => {
    const proposal = `${readFileSync(sample, 'utf8').trimEnd()}\n# Proposed by the agent.\n`;
    const agentUrl = await modelThatSays(`Here is the cube:\n\n\`\`\`yaml\n${proposal}\`\`\`\n`);
    await journey('chat-proposal', { signedIn: true, platform: { agentUrl } }, async (stage) => {
      const { workbench, url } = stage;
      await workbench.openContainer('Modelbench');
      await workbench.widenSideBar(460);
      await workbench.openView('Branches');
      await workbench.rowAction(workbench.row('Branches', 'pricing-experiments'), 'Start Dev Mode…');
      await workbench.status(/Shop analytics · dev-/).waitFor();
      const dev = await devBranch(stage);
      const chat = await workbench.openChat();
      await chat.getByRole('button', { name: 'Paste the Chat API URL…' }).click();
      const agent = `${url}/api/v1/public/${demo.account}/agents/${demo.agentId}/chat/stream-chat-state`;
      await workbench.answer('Copy it from the agent settings', agent);
      await workbench.pick('API Key of This Account');
      await ask(chat, 'How many orders were there by status?');
      const review = chat.getByRole('button', { name: 'Review as a change to a model file…' });
      await review.waitFor({ timeout: 60_000 });

      await review.click();
      await workbench.pick(file);
      await workbench.notification(/Apply the agent.s proposal/).waitFor();
      await workbench.picture('diff');
      expect(await remoteFile(stage, dev, file)).not.toContain('Proposed by the agent');
      await workbench.notificationButton(/Apply the agent.s proposal/, 'Apply');
      await expect
        .poll(async () => remoteFile(stage, dev, file), { timeout: 30_000 })
        .toContain('Proposed by the agent');
      expect(await remoteFile(stage, 'main', file)).not.toContain('Proposed by the agent');
      await workbench.picture('applied');
    });
  });
});
