/**
 * A scan (of all processes or folders) that runs once at a time for all callers. A caller that arrives during a scan
 * waits for the next scan, which all waiting callers share. So no result is older than the call.
 */
export class SharedLook<T> {
  private underway: Promise<T> | undefined
  private next: Promise<T> | undefined

  constructor(private readonly look: () => Promise<T>) {}

  ask(): Promise<T> {
    if (this.next !== undefined) return this.next
    if (this.underway === undefined) return this.begin()
    this.next = this.underway.then(
      () => this.begin(),
      () => this.begin(),
    )
    return this.next
  }

  private begin(): Promise<T> {
    this.next = undefined
    const look = this.look().finally(() => {
      if (this.underway === look) this.underway = undefined
    })
    this.underway = look
    return look
  }
}
