import type { AdminClient } from '@matchyard/client/admin'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isPassing, type Loadable, RETRY_MS, type Read } from './hooks'

/** Periodic read that all views share. Its last result stays while the user goes from one view to another. */
class SharedRead<T> implements Read<T> {
  readonly now = signal<Loadable<T>>({ is: 'loading' })
  readonly heardAt = signal<number | undefined>(undefined)
  private users = 0
  private timer = 0
  private turn = 0

  constructor(
    private readonly call: () => Promise<T>,
    private readonly everyMs: number,
  ) {}

  readonly again = async (): Promise<void> => {
    const mine = ++this.turn
    try {
      const data = await this.call()
      if (this.turn !== mine) return
      this.now.value = { is: 'ready', data }
      this.heardAt.value = Date.now()
    } catch (error) {
      if (this.turn !== mine) return
      if (this.now.value.is !== 'ready' || !isPassing(error)) this.now.value = { is: 'failed', error }
    }
  }

  /**
   * Starts the periodic read (while the page is visible) unless it runs already. Returns a function that ends this use
   * of the read. The read stops when its last use ends.
   */
  readonly use = (): (() => void) => {
    if (this.users++ === 0) void this.ask()
    return () => {
      if (--this.users === 0) clearTimeout(this.timer)
    }
  }

  private async ask(): Promise<void> {
    if (document.visibilityState === 'visible' || this.now.value.is === 'loading') await this.again()
    const isLost = this.now.value.is === 'failed' && isPassing(this.now.value.error)
    clearTimeout(this.timer)
    if (this.users > 0) this.timer = window.setTimeout(() => void this.ask(), isLost ? RETRY_MS : this.everyMs)
  }
}

/** Returns a hook for one call of a client. The views that use the hook with the same client share one periodic read. */
export function sharedRead<T>(
  call: (client: AdminClient) => Promise<T>,
  everyMs: number,
): (client: AdminClient) => Read<T> {
  const reads = new WeakMap<AdminClient, SharedRead<T>>()
  return function useShared(client) {
    const read = reads.get(client) ?? new SharedRead(() => call(client), everyMs)
    reads.set(client, read)
    useEffect(read.use, [read])
    return read
  }
}
