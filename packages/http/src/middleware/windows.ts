import type { RateState } from './rate-limiter'

interface Window {
  consumed: number
  readonly endsAt: number
}

/** Windows of one rule before those that are over are swept. */
const SWEEP_AT = 10_000
/** Windows of one rule at once. Past it the oldest of the owner with the most are forgotten: names can be invented faster than windows end. */
export const MAX_WINDOWS = 50_000
/** Characters of their keys, likewise. */
export const MAX_KEY_CHARACTERS = 8 * 1_024 ** 2
/** Forgotten together, so that not every call sweeps. */
const FORGOTTEN_AT_ONCE = MAX_WINDOWS / 10

/** The windows of one rule in this process, by their owner and key. */
export class Windows {
  private readonly owners = new Map<string, Map<string, Window>>()
  private size = 0
  private characters = 0
  private sweepAt = SWEEP_AT

  constructor(private readonly windowMs: number) {}

  consume(owner: string, key: string, now: number): RateState {
    const known = this.current(owner, key, now)
    const window = known ?? this.begin(owner, key, now)
    window.consumed++
    return { consumed: window.consumed, resetMs: window.endsAt - now }
  }

  peek(owner: string, key: string, now: number): RateState {
    const window = this.current(owner, key, now)
    return window === undefined
      ? { consumed: 0, resetMs: 0 }
      : { consumed: window.consumed, resetMs: window.endsAt - now }
  }

  private current(owner: string, key: string, now: number): Window | undefined {
    const window = this.owners.get(owner)?.get(key)
    return window !== undefined && window.endsAt > now ? window : undefined
  }

  private begin(owner: string, key: string, now: number): Window {
    if (this.size >= this.sweepAt || this.characters >= MAX_KEY_CHARACTERS) this.sweep(now)
    this.forget(owner, key)
    const window = { consumed: 0, endsAt: now + this.windowMs }
    const windows = this.owners.get(owner) ?? new Map<string, Window>()
    this.owners.set(owner, windows.set(key, window))
    this.size++
    this.characters += key.length
    return window
  }

  private forget(owner: string, key: string): void {
    const windows = this.owners.get(owner)
    if (!windows?.delete(key)) return
    this.size--
    this.characters -= key.length
    if (windows.size === 0) this.owners.delete(owner)
  }

  private sweep(now: number): void {
    for (const [owner, windows] of this.owners) {
      for (const [key, { endsAt }] of windows) if (endsAt <= now) this.forget(owner, key)
    }
    const isFull = this.size >= MAX_WINDOWS || this.characters >= MAX_KEY_CHARACTERS
    if (isFull) this.forgetOldest()
    this.sweepAt = Math.min(Math.max(SWEEP_AT, this.size * 2), MAX_WINDOWS)
  }

  private forgetOldest(): void {
    let [most, count] = ['', 0]
    for (const [owner, { size }] of this.owners) if (size > count) [most, count] = [owner, size]
    let left = Math.min(FORGOTTEN_AT_ONCE, Math.ceil(count / 2))
    for (const key of this.owners.get(most)?.keys() ?? []) {
      if (left-- <= 0) break
      this.forget(most, key)
    }
  }
}
