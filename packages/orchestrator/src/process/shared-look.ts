/**
 * A look at what exists (every process of the machine, every folder) that is under way once at a time, however many ask.
 * Who asks while one is under way gets the next one, which all who wait share: what it answers was looked at after the ask.
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
