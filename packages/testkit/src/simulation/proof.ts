import type { JsonObject, JsonValue, KeyCaller, Matchyard } from '@matchyard/core'
import { mintPlayerToken, type PlayerTokenDesign } from '../fakes/mint-player-token'
import { type Place, vouchedText } from './invariants/snapshot'
import { TRUSTED_FIELD } from './place'

/** Who signs player tokens. */
const ISSUER = 'https://backend.example'

/** How players of the project prove what they say of themselves, and what their backend vouches for. */
export class Proof {
  /** By field that a queue may trust: what the backend wrote or signed, and of whom. */
  readonly vouched = new Map<string, Set<string>>([[TRUSTED_FIELD, new Set()]])
  private known: { readonly caller: KeyCaller; readonly secret: string } | undefined

  /** A client key, and an issuer. Whoever calls is believed to be who they say; their tokens say more. */
  async furnish(
    { projects, keys, access }: Matchyard,
    { projectId, accountId }: Place,
    finish: <T>(work: Promise<T>) => Promise<T>,
  ): Promise<void> {
    const on = { projectId, accountId }
    const issuers = [{ issuer: ISSUER, generateSecret: true }]
    const auth = await finish(projects.setPlayerAuth({ ...on, mode: 'trusted', issuers }))
    const { value } = await finish(keys.mint({ ...on, type: 'client' }))
    this.known = { caller: await finish(access.authenticateKey(value ?? '')), secret: auth.issuers[0]?.secret ?? '' }
  }

  /** The backend's word for a value of a player. */
  vouch(playerId: string, field: string, value: JsonValue): void {
    const values = this.vouched.get(field) ?? new Set()
    this.vouched.set(field, values.add(vouchedText(playerId, value)))
  }

  /** A token of the backend's, or of one that is none. */
  token(playerId: string, state: JsonObject, at: number, more: Partial<PlayerTokenDesign> = {}): string {
    return mintPlayerToken({ secret: this.now.secret, issuer: ISSUER, playerId, state, at, ...more })
  }

  /** What a call by the client key counts for. Throws INVALID_PLAYER_TOKEN. */
  async identify({ access }: Matchyard, playerId: string, token: string | undefined) {
    const { caller } = this.now
    const { client } = await access.identifyPlayer({ caller, rule: 'required', playerId, token })
    return client
  }

  private get now() {
    if (this.known === undefined) throw new Error('the project is not furnished yet')
    return this.known
  }
}
