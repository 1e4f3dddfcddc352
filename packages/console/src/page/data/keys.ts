import type { Project } from '@matchyard/client/admin'
import { mayAs } from './roles'
import type { Session } from './session'
import { part } from './wire'

/**
 * Lifetime of a page's keys, in seconds: longer than a page stays open. The keys of a tab that crashes expire by
 * themselves.
 */
const EXPIRES_IN_SECONDS = 12 * 3_600

interface Minted {
  readonly key_id: string
  readonly key?: string
}

/** A server key and a client key that only this page uses. */
export interface PageKeys {
  readonly serverKey: string
  /** Empty for roles that may not play. */
  readonly clientKey: string
  /** Revokes the keys, even while the page is closing. */
  revoke(): Promise<unknown>
}

/**
 * Creates the API keys of this page and keeps them in memory only. The page needs keys, because a session gives no
 * access to queues, lobbies and matches. The server key has the role of the person.
 */
export async function mintKeys({ wire }: Session, project: Project): Promise<PageKeys> {
  const path = `/v1/projects/${part(project.project_id)}/keys`
  const mint = (type: 'server' | 'client') =>
    wire.post<Minted>(path, { type, name: 'Console (temporary)', expires_in: EXPIRES_IN_SECONDS })
  const minted = await Promise.all([mint('server'), ...(mayAs(project, 'developer') ? [mint('client')] : [])])
  const [server, client] = minted
  return {
    serverKey: server?.key ?? '',
    clientKey: client?.key ?? '',
    revoke: () => Promise.all(minted.map(({ key_id }) => wire.farewell('DELETE', `${path}/${part(key_id)}`))),
  }
}
