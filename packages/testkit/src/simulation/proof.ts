import type { JsonObject, JsonValue, KeyCaller, Matchyard } from '@matchyard/core'
import { mintPlayerToken, type PlayerTokenDesign } from '../fakes/mint-player-token'
import { type Place, vouchedText } from './invariants/snapshot'
import { TRUSTED_FIELD } from './place'

/** Issuer in the player tokens. */
const ISSUER = 'https://backend.example'

/** Makes player tokens for the project, and records the values that the project's backend wrote or signed. */
export class Proof {
  /** By trusted field: the values that the backend wrote or signed, together with their players. */
  readonly vouched = new Map<string, Set<string>>([[TRUSTED_FIELD, new Set()]])
  private known: { readonly caller: KeyCaller; readonly secret: string } | undefined

  /**
   * Creates a client key and an issuer. Without a token, the service trusts the player id of the call. A token proves
   * the player id and trusted fields.
   */
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

  /** Records that the backend wrote or signed a value for a player. */
  vouch(playerId: string, field: string, value: JsonValue): void {
    const values = this.vouched.get(field) ?? new Set()
    this.vouched.set(field, values.add(vouchedText(playerId, value)))
  }

  /** Returns a token of the backend. With `more`, the token may be forged. */
  token(playerId: string, state: JsonObject, at: number, more: Partial<PlayerTokenDesign> = {}): string {
    return mintPlayerToken({ secret: this.now.secret, issuer: ISSUER, playerId, state, at, ...more })
  }

  /** Returns the identity of a client that calls with the client key. Throws INVALID_PLAYER_TOKEN. */
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
