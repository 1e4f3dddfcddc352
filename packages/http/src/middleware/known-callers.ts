import type { Caller } from '@matchyard/core'
import type { Exchange } from '../exchange/exchange'
import { FairMap } from '../fairness/fair-map'
import { accountGroup, type Party, STRANGERS, serverKey } from '../fairness/party'
import { credentialOf } from './bearer'
import { clientAddress } from './client-address'

/** Credentials that are remembered, of all projects together. */
export const MAX_KNOWN = 20_000
/** Characters of a credential that is remembered; keys, session tokens and tokens of game servers are shorter. */
export const MAX_KNOWN_LENGTH = 512

type Known = Pick<Party, 'group' | 'key'>

/**
 * Remembers which credentials were good of late, and whose they were, so that a call's party is known before its credential is
 * judged. It is asked for fairness alone: access is decided anew for each call. A credential that was never good is not in it, so
 * whoever invents credentials adds nothing and stays a stranger.
 */
export class KnownCallers {
  private readonly known = new FairMap<Known>(MAX_KNOWN)

  constructor(private readonly trustedProxies: number) {}

  get size(): number {
    return this.known.size
  }

  /** Whose call it is. */
  partyOf(exchange: Exchange): Party {
    const credential = credentialOf(exchange)
    const { group, key } = (credential !== undefined && this.known.get(credential)) || STRANGER
    return { group, key, address: clientAddress(exchange, this.trustedProxies) }
  }

  /** Takes down that a credential was good. */
  learn(credential: string, caller: Caller): void {
    const before = this.known.get(credential)
    const now = knownOf(caller)
    if (before !== undefined && before.group === now.group && before.key === now.key) return
    if (credential.length <= MAX_KNOWN_LENGTH) this.known.set(credential, now.group, now)
  }

  /** Takes down that a credential is not good, or not any more. */
  forget(credential: string): void {
    this.known.delete(credential)
  }
}

const STRANGER: Known = { group: STRANGERS, key: '' }

function knownOf(caller: Caller): Known {
  if (caller.kind === 'session') return { group: accountGroup(caller.accountId), key: caller.sessionId }
  if (caller.kind === 'game-server') return { group: caller.projectId, key: serverKey(caller.instanceId) }
  return { group: caller.projectId, key: caller.keyId }
}
