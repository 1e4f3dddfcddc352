import { isDisabled } from '../account/decide'
import type { Storage } from '../ports/storage/index'
import { inParts } from './in-parts'
import type { Places } from './places'

/** Maximum number of API keys that one call of the storage reads. */
const KEYS_AT_ONCE = 1_000

/** Ends open streams when their API key was deleted or revoked, or when their account was disabled. */
export class LiveKeys {
  constructor(
    private readonly storage: Storage,
    private readonly places: Places,
  ) {}

  /** Checks all API keys that have open streams. Throws the errors of the storage. */
  look(): Promise<void> {
    return this.endDead(this.places.keyIds)
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
    if (this.places.keyIds.length === 0) return
    const account = await this.storage.get('account', accountId)
    if (account !== undefined && isDisabled(account)) await this.look()
  }

  private async endDead(keyIds: readonly string[]): Promise<void> {
    for (const some of inParts(keyIds, KEYS_AT_ONCE)) {
      const keys = await this.storage.getMany('api-key', some)
      const accountIds = new Set(keys.map(({ accountId }) => accountId))
      const accounts = await this.storage.getMany('account', [...accountIds])
      for (const account of accounts) if (isDisabled(account)) accountIds.delete(account.id)
      const live = keys.filter(({ revokedAt, accountId }) => revokedAt === null && accountIds.has(accountId))
      const liveIds = new Set(live.map(({ id }) => id))
      for (const keyId of some) if (!liveIds.has(keyId)) this.places.endOf(keyId)
    }
  }
}
