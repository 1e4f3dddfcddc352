import type { Clock, PeerLogQuery, Tokens } from '@matchyard/core/ports'
import { jose } from './jose'

/** Purpose from which the key is derived. The key signs only peer tokens. */
const PURPOSE = 'peer-call'
const LOGS = 'server-logs'
const LIFETIME_MS = 60_000
/** Largest allowed difference between the clocks of two nodes, in seconds. */
const TOLERANCE_SECONDS = 10

/** Peer tokens: with such a token, a node proves to another node that its request comes from the same installation. */
export interface PeerTokens {
  /**
   * Returns a token (a JWT, HS256) that requests the log of one game server from one node. It is valid for 60 seconds.
   */
  issue(query: PeerLogQuery): Promise<string>
  /** Returns the request in a token; undefined for an invalid token. */
  read(token: string): Promise<PeerLogQuery | undefined>
}

/**
 * Returns functions that issue and read peer tokens. The key is derived from the installation's secret, anew for each token because the secret
 * in force may change.
 */
export function peerTokens(tokens: Pick<Tokens, 'derive' | 'deriveEach'>, clock: Pick<Clock, 'now'>): PeerTokens {
  return {
    async issue({ nodeId, projectId, instanceId, limit, since }) {
      const { SignJWT } = await jose()
      return new SignJWT({ project_id: projectId, limit, ...(since === undefined ? {} : { since }) })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setAudience(nodeId)
        .setSubject(instanceId)
        .setExpirationTime(Math.ceil((clock.now() + LIFETIME_MS) / 1000))
        .sign(tokens.derive(PURPOSE, LOGS))
    },
    async read(token) {
      for (const key of tokens.deriveEach(PURPOSE, LOGS)) {
        const query = await readWith(key, token, clock)
        if (query !== undefined) return query
      }
      return undefined
    },
  }
}

async function readWith(key: Uint8Array, token: string, clock: Pick<Clock, 'now'>): Promise<PeerLogQuery | undefined> {
  try {
    const { jwtVerify } = await jose()
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      requiredClaims: ['exp'],
      currentDate: new Date(clock.now()),
      clockTolerance: TOLERANCE_SECONDS,
    })
    return queryOf(payload)
  } catch {
    return undefined
  }
}

function queryOf({ aud, sub, project_id: projectId, limit, since }: Record<string, unknown>): PeerLogQuery | undefined {
  if (typeof aud !== 'string' || typeof sub !== 'string' || typeof projectId !== 'string') return undefined
  if (typeof limit !== 'number' || (since !== undefined && typeof since !== 'number')) return undefined
  return { nodeId: aud, projectId, instanceId: sub, limit, ...(since === undefined ? {} : { since }) }
}
