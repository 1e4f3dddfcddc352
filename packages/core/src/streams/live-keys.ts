import { isDisabled } from '../account/decide'
import type { Storage } from '../ports/storage/index'
import { inParts } from './in-parts'
import type { Places } from './places'

/** Maximum number of API keys or members that one call of the storage reads. */
const KEYS_AT_ONCE = 1_000

/**
 * Ends open streams when their API key was deleted or revoked, when their member was removed from the project, or when an account on which
 * they depend was disabled.
 */
export class LiveKeys {
  constructor(
    private readonly storage: Storage,
    private readonly places: Places,
  ) {}

  /** Checks all API keys and members that have open streams. Throws the errors of the storage. */
  async look(): Promise<void> {
    await this.endDead(this.places.keyIds)
    await this.endGone(this.places.memberIds)
  }

  /** Checks the record of a member that changed. When the record cannot be read, its streams end, because the member may be removed. */
  async onMember(memberId: string): Promise<void> {
    await this.endGone([memberId]).catch(() => this.places.endOfMember(memberId))
  }

  /** Checks an API key that changed. When the key cannot be read, its streams end, because the key may be revoked. */
  async onKey(keyId: string): Promise<void> {
    await this.endDead([keyId]).catch(() => this.places.endOf(keyId))
  }

  /**
   * Checks an account's API keys when the account was disabled. Other changes of an account, such as its plan or card, are frequent and
   * need no check.
   */
  async onAccount(accountId: string): Promise<void> {
    if (this.places.keyIds.length === 0 && this.places.memberIds.length === 0) return
    const account = await this.storage.get('account', accountId)
    if (account !== undefined && isDisabled(account)) await this.look()
  }

  private async endDead(keyIds: readonly string[]): Promise<void> {
    for (const some of inParts(keyIds, KEYS_AT_ONCE)) {
      const keys = await this.storage.getMany('api-key', some)
      const enabled = await this.enabled(keys.flatMap(({ accountId, mintedBy }) => [accountId, mintedBy ?? accountId]))
      const live = keys.filter(
        ({ revokedAt, accountId, mintedBy = accountId }) =>
          revokedAt === null && enabled.has(accountId) && enabled.has(mintedBy),
      )
      const liveIds = new Set(live.map(({ id }) => id))
      for (const keyId of some) if (!liveIds.has(keyId)) this.places.endOf(keyId)
    }
  }
  private async endGone(memberIds: readonly string[]): Promise<void> {
    for (const some of inParts(memberIds, KEYS_AT_ONCE)) {
      const members = await this.storage.getMany('member', some)
      const enabled = await this.enabled(members.flatMap(({ accountId, ownerId }) => [accountId, ownerId]))
      const live = members.filter(({ accountId, ownerId }) => enabled.has(accountId) && enabled.has(ownerId))
      const liveIds = new Set(live.map(({ id }) => id))
      for (const id of some) if (!liveIds.has(id)) this.places.endOfMember(id)
    }
  }

  /** Returns the ids of the given accounts without those that are disabled. */
  private async enabled(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const enabled = new Set(ids)
    const accounts = await this.storage.getMany('account', [...enabled])
    for (const account of accounts) if (isDisabled(account)) enabled.delete(account.id)
    return enabled
  }
}
