import type { Platform } from './app.ts';
import { demo } from './seed/names.ts';

/** Where a platform listens, and what opens it. */
export interface Served {
  /** Management, build and SCIM. */
  readonly url: string;
  /** Base of the Chat API. */
  readonly chatUrl: string;
  /** The whole Chat API URL of the demo agent. */
  readonly chatApiUrl: string;
  /** The demo account's unscoped API key. */
  readonly apiKey: string;
  readonly password: string;
  readonly keys: typeof demo.keys;
  /** `CUBEJS_API_SECRET` of the demo shop. */
  readonly apiSecret: string;
}

/** Has a platform listen on a port of the loopback interface; 0 is any free one. */
export async function serve(platform: Platform, port = 0): Promise<Served> {
  const { url, chatUrl } = await platform.listen(port);
  const chatApiUrl = `${chatUrl}/api/v1/public/${demo.account}/agents/${demo.agentId}/chat/stream-chat-state`;
  const { keys, apiSecret, password } = demo;
  return { url, chatUrl, apiKey: platform.apiKey, chatApiUrl, password, keys, apiSecret };
}
