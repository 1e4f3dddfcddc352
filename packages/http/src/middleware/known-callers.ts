import type { Caller } from '@matchyard/core'
import type { Exchange } from '../exchange/exchange'
import { FairMap } from '../fairness/fair-map'
import { machineAccount, ownerOf, type Party, STRANGERS, serverKey } from '../fairness/party'
import { credentialOf } from './bearer'
import { clientAddress } from './client-address'

/** Maximum number of remembered credentials of all projects together. */
export const MAX_KNOWN = 20_000
/** Maximum characters of a remembered credential. API keys, session tokens and tokens of game servers are shorter. */
export const MAX_KNOWN_LENGTH = 512

type Known = Omit<Party, 'address'>

/**
 * Remembers recently valid credentials with their owners, so that the caller of a request is known before its
 * credential is checked. This is used only for fairness: access is checked anew for each call. Credentials that were
 * never valid are not remembered. A caller that invents credentials therefore adds nothing, and counts as a stranger.
 */
export class KnownCallers {
  private readonly known = new FairMap<Known>(MAX_KNOWN)
  /**
   * Id of the account that owns each project whose key was valid. The token of a game server identifies the project,
   * but not the account.
   */
  private readonly owners = new FairMap<string>(MAX_KNOWN)

  constructor(private readonly trustedProxies: number) {}

  get size(): number {
    return this.known.size
  }

  /** Returns the names of the request's caller, by which capacity is shared fairly. */
  partyOf(exchange: Exchange): Party {
    const credential = credentialOf(exchange)
    const { account, project, key } = (credential !== undefined && this.known.get(credential)) || STRANGER
    return { account, project, key, address: clientAddress(exchange, this.trustedProxies) }
  }

  /** Remembers that a credential was valid. */
  learn(credential: string, caller: Caller): void {
    const before = this.known.get(credential)
    const now = this.knownOf(caller)
    if (before?.account === now.account && before.project === now.project && before.key === now.key) return
    if (credential.length <= MAX_KNOWN_LENGTH) this.known.set(credential, `${now.account} ${now.project}`, now)
    if (now.project !== '') this.owners.set(now.project, now.account, now.account)
  }

  /** Forgets a credential that is invalid. */
  forget(credential: string): void {
    this.known.delete(credential)
  }

  private knownOf(caller: Caller): Known {
    if (caller.kind === 'session') return { account: caller.accountId, project: '', key: caller.sessionId }
    if (caller.kind === 'machine') return { account: machineAccount(caller.machineId), project: '', key: '' }
    const { projectId: project } = caller
    if (caller.kind !== 'game-server') return { account: caller.accountId, project, key: caller.keyId }
    return { account: this.owners.get(project) ?? ownerOf(project), project, key: serverKey(caller.instanceId) }
  }
}

const STRANGER: Known = { account: STRANGERS, project: '', key: '' }
