import type { Clock, PeerLogQuery, Tokens } from '@matchyard/core/ports'
import { jose } from './jose'

/** Purpose from which the key is derived. The key signs only peer tokens. */
const PURPOSE = 'peer-call'
const LOGS = 'server-logs'
const BATCH = 'agent-batch'
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
  /** Returns a token that passes the batch of an agent to one node. It is valid for 60 seconds, for these bytes alone. */
  issueBatch(proof: PeerBatchProof): Promise<string>
  /** Returns the proof in such a token; undefined for an invalid token. */
  readBatch(token: string): Promise<PeerBatchProof | undefined>
}

/** Proof that a batch of an agent comes from a node that has checked the agent's token. */
export interface PeerBatchProof {
  /** URL of the node to which the batch is passed. */
  readonly url: string
  /** Machine of the agent. */
  readonly machineId: string
  /** SHA-256 of the batch as it is sent, in hexadecimal digits. */
  readonly sha256: string
}

/**
 * Returns functions that issue and read peer tokens. The key is derived from the installation's secret, anew for each token because the secret
 * in force may change.
 */
export function peerTokens(tokens: Pick<Tokens, 'derive' | 'deriveEach'>, clock: Pick<Clock, 'now'>): PeerTokens {
  const sign = async (name: string, claims: Record<string, unknown>, audience: string, subject: string) => {
    const { SignJWT } = await jose()
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setAudience(audience)
      .setSubject(subject)
      .setExpirationTime(Math.ceil((clock.now() + LIFETIME_MS) / 1000))
      .sign(tokens.derive(PURPOSE, name))
  }
  const read = async (name: string, token: string) => {
    for (const key of tokens.deriveEach(PURPOSE, name)) {
      const claims = await readWith(key, token, clock)
      if (claims !== undefined) return claims
    }
    return undefined
  }
  return {
    issue: ({ nodeId, projectId, instanceId, limit, since }) =>
      sign(LOGS, { project_id: projectId, limit, ...(since === undefined ? {} : { since }) }, nodeId, instanceId),
    read: async (token) => queryOf((await read(LOGS, token)) ?? {}),
    issueBatch: ({ url, machineId, sha256 }) => sign(BATCH, { sha256 }, url, machineId),
    readBatch: async (token) => proofOf((await read(BATCH, token)) ?? {}),
  }
}

async function readWith(
  key: Uint8Array,
  token: string,
  clock: Pick<Clock, 'now'>,
): Promise<Record<string, unknown> | undefined> {
  try {
    const { jwtVerify } = await jose()
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      requiredClaims: ['exp'],
      currentDate: new Date(clock.now()),
      clockTolerance: TOLERANCE_SECONDS,
    })
    return payload
  } catch {
    return undefined
  }
}

function queryOf({ aud, sub, project_id: projectId, limit, since }: Record<string, unknown>): PeerLogQuery | undefined {
  if (typeof aud !== 'string' || typeof sub !== 'string' || typeof projectId !== 'string') return undefined
  if (typeof limit !== 'number' || (since !== undefined && typeof since !== 'number')) return undefined
  return { nodeId: aud, projectId, instanceId: sub, limit, ...(since === undefined ? {} : { since }) }
}

function proofOf({ aud, sub, sha256 }: Record<string, unknown>): PeerBatchProof | undefined {
  return typeof aud === 'string' && typeof sub === 'string' && typeof sha256 === 'string'
    ? { url: aud, machineId: sub, sha256 }
    : undefined
}
