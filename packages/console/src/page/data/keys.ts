import type { Session } from './session'
import { part } from './wire'

/** Longer than anybody looks at one page; a tab that dies without a word leaves keys that end by themselves. */
const EXPIRES_IN_SECONDS = 12 * 3_600

interface Minted {
  readonly key_id: string
  readonly key?: string
}

/** A server key and a client key of this page alone. */
export interface PageKeys {
  readonly serverKey: string
  readonly clientKey: string
  /** Ends both, also while the page is being left. */
  revoke(): Promise<unknown>
}

/** A session does not reach queues, lobbies and matches: the page mints keys for itself, and keeps them in memory only. */
export async function mintKeys({ wire }: Session, projectId: string): Promise<PageKeys> {
  const path = `/v1/projects/${part(projectId)}/keys`
  const mint = (type: 'server' | 'client') =>
    wire.post<Minted>(path, { type, name: 'Console (ends by itself)', expires_in: EXPIRES_IN_SECONDS })
  const [server, client] = await Promise.all([mint('server'), mint('client')])
  return {
    serverKey: server.key ?? '',
    clientKey: client.key ?? '',
    revoke: () => Promise.all([server, client].map(({ key_id }) => wire.farewell('DELETE', `${path}/${part(key_id)}`))),
  }
}
