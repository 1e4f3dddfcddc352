import { ServiceError } from '../errors/service-error'

/** Bodies that one node reads at once: each holds a connection, a file and up to `maxUploadBytes` of disk. */
export const MAX_UPLOADS = 64
/** Of one account, so that no account fills the node with uploads that it only trickles. */
export const MAX_UPLOADS_PER_ACCOUNT = 8

/** Who uploads to this node at present. */
export class UploadSlots {
  private readonly accounts = new Map<string, number>()
  private total = 0

  /** Runs `work` as one of the account's uploads. Throws UNAVAILABLE where there are too many; the URL stays as it was. */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const mine = this.accounts.get(accountId) ?? 0
    if (mine >= MAX_UPLOADS_PER_ACCOUNT) throw tooMany(`${mine} uploads of this account are under way`)
    if (this.total >= MAX_UPLOADS) throw tooMany('too many uploads are under way')
    this.accounts.set(accountId, mine + 1)
    this.total++
    try {
      return await work()
    } finally {
      this.total--
      const left = (this.accounts.get(accountId) ?? 1) - 1
      if (left > 0) this.accounts.set(accountId, left)
      else this.accounts.delete(accountId)
    }
  }
}

const tooMany = (why: string) => new ServiceError('UNAVAILABLE', `${why}; send this one again in a while`)
