import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#base/clock.ts';
import { err, ok, type Result } from '#base/result.ts';
import type { ThreadMessage } from './messages.ts';

/** Someone who chats: external users are made on first sight, internal ones are the tenant's own. */
export interface ChatUser {
  readonly id: number;
  readonly key: string;
}

export interface UserWish {
  readonly accountName: string;
  /** `external:<id>` (lower case) or `internal:<e-mail>`. */
  readonly key: string;
  readonly email?: string | undefined;
  readonly isEphemeral: boolean;
  readonly ttlSeconds: number;
}

export interface Thread {
  readonly id: string;
  readonly userId: number;
  readonly agentId: string;
}

/** Chat's part of the platform's database: users with a lifetime, threads, messages. */
export interface ChatStore {
  /** The user, made or renewed as wished. Fails when the account holds as many persistent external users as it may. */
  user(wish: UserWish): Result<ChatUser, string>;
  thread(id: string): Thread | undefined;
  createThread(userId: number, agentId: string): Thread;
  messages(threadId: string): readonly ThreadMessage[];
  save(threadId: string, message: ThreadMessage): void;
}

/** docs/chat.md#tools. */
const persistentUserLimit = 10_000;

const tables = `
CREATE TABLE IF NOT EXISTS chat_users (
  id INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  key TEXT NOT NULL,
  email TEXT,
  expires_at INTEGER,
  UNIQUE (account, key)
) STRICT;
CREATE TABLE IF NOT EXISTS chat_threads (
  id TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL,
  agent_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS chat_messages (
  thread_id TEXT NOT NULL,
  id TEXT NOT NULL,
  position INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (thread_id, id)
) STRICT;
CREATE INDEX IF NOT EXISTS chat_threads_by_user ON chat_threads (user_id);`;

interface UserRow {
  readonly id: number;
  readonly key: string;
  readonly expires_at: number | null;
}

/** Opens chat's tables in the platform's database, making them where they are missing. */
export function openChatStore(database: DatabaseSync, clock: Clock, limit: number = persistentUserLimit): ChatStore {
  database.exec(tables);
  const findUser = database.prepare('SELECT id, key, expires_at FROM chat_users WHERE account = ? AND key = ?');
  const countPersistent = database.prepare(
    "SELECT count(*) AS count FROM chat_users WHERE account = ? AND key LIKE 'external:%' AND expires_at IS NULL",
  );
  const addUser = database.prepare('INSERT INTO chat_users (account, key, email, expires_at) VALUES (?, ?, ?, ?)');
  const setExpiry = database.prepare('UPDATE chat_users SET expires_at = ? WHERE id = ?');
  const findThread = database.prepare(
    'SELECT id, user_id AS userId, agent_id AS agentId FROM chat_threads WHERE id = ?',
  );
  const addThread = database.prepare(
    'INSERT INTO chat_threads (id, user_id, agent_id, created_at) VALUES (?, ?, ?, ?)',
  );
  const listMessages = database.prepare('SELECT body FROM chat_messages WHERE thread_id = ? ORDER BY position');
  const putMessage = database.prepare(
    `INSERT INTO chat_messages (thread_id, id, position, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (thread_id, id) DO UPDATE SET body = excluded.body`,
  );

  const isFull = (account: string): boolean => (countPersistent.get(account) as { count: number }).count >= limit;

  return {
    user: (wish) => {
      removeExpired(database, clock.now());
      const known = findUser.get(wish.accountName, wish.key) as UserRow | undefined;
      const persists = wish.key.startsWith('internal:') || !wish.isEphemeral;
      const becomesPersistent = persists && known?.expires_at !== null;
      if (becomesPersistent && wish.key.startsWith('external:') && isFull(wish.accountName)) {
        return err(
          `The account holds ${String(limit)} external users that are not ephemeral. Contact support to raise the limit.`,
        );
      }
      if (known) {
        if (becomesPersistent) setExpiry.run(null, known.id);
        return ok({ id: known.id, key: known.key });
      }
      // The lifetime counts from the first request and is never extended by later ones.
      const expires = persists ? null : clock.now() + Math.round(wish.ttlSeconds * 1000);
      const added = addUser.run(wish.accountName, wish.key, wish.email ?? null, expires);
      return ok({ id: Number(added.lastInsertRowid), key: wish.key });
    },
    thread: (id) => {
      removeExpired(database, clock.now());
      return findThread.get(id) as Thread | undefined;
    },
    createThread: (userId, agentId) => {
      const thread = { id: randomUUID(), userId, agentId };
      addThread.run(thread.id, userId, agentId, clock.now());
      return thread;
    },
    messages: (threadId) =>
      listMessages.all(threadId).map((row) => JSON.parse((row as { body: string }).body) as ThreadMessage),
    save: (threadId, message) => {
      putMessage.run(threadId, message.id, message.sort, JSON.stringify(message));
    },
  };
}

/** Ephemeral users go with everything they said when their time is over. */
function removeExpired(database: DatabaseSync, now: number): void {
  const expired = database.prepare('SELECT id FROM chat_users WHERE expires_at <= ?').all(now);
  for (const { id = null } of expired) {
    database
      .prepare('DELETE FROM chat_messages WHERE thread_id IN (SELECT id FROM chat_threads WHERE user_id = ?)')
      .run(id);
    database.prepare('DELETE FROM chat_threads WHERE user_id = ?').run(id);
    database.prepare('DELETE FROM chat_users WHERE id = ?').run(id);
  }
}
