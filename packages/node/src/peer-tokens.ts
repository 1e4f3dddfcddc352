import type { Clock, PeerLogQuery, Tokens } from '@matchyard/core/ports'
import { jose } from './jose'

/** Purpose of the derived key: it signs and opens nothing else. */
const PURPOSE = 'peer-call'
const LOGS = 'server-logs'
const LIFETIME_MS = 60_000
/** By how much the clocks of two nodes may differ. */
const TOLERANCE_SECONDS = 10

/** Tokens by which nodes of one installation prove to each other that a question is theirs. */
export interface PeerTokens {
  /** A JWT, HS256, good for 60 seconds, that asks one node for the log of one game server. */
  issue(query: PeerLogQuery): Promise<string>
  /** The question of such a token; undefined for anything else. */
  read(token: string): Promise<PeerLogQuery | undefined>
}

/** Tokens by a key that is derived from the installation's secret. */
export function peerTokens(tokens: Pick<Tokens, 'derive'>, clock: Pick<Clock, 'now'>): PeerTokens {
  const key = tokens.derive(PURPOSE, LOGS)
  return {
    async issue({ nodeId, projectId, instanceId, limit, since }) {
      const { SignJWT } = await jose()
      return new SignJWT({ project_id: projectId, limit, ...(since === undefined ? {} : { since }) })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setAudience(nodeId)
        .setSubject(instanceId)
        .setExpirationTime(Math.ceil((clock.now() + LIFETIME_MS) / 1000))
        .sign(key)
    },
    async read(token) {
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
    },
  }
}

function queryOf({ aud, sub, project_id: projectId, limit, since }: Record<string, unknown>): PeerLogQuery | undefined {
  if (typeof aud !== 'string' || typeof sub !== 'string' || typeof projectId !== 'string') return undefined
  if (typeof limit !== 'number' || (since !== undefined && typeof since !== 'number')) return undefined
  return { nodeId: aud, projectId, instanceId: sub, limit, ...(since === undefined ? {} : { since }) }
}
