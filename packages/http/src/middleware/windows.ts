/** State of the window of a limit. `consumed` may be greater than the maximum number of calls. */
export interface RateState {
  /** Number of counted calls in the window. */
  readonly consumed: number
  /** Milliseconds until the window ends. */
  readonly resetMs: number
}

interface Window {
  consumed: number
  readonly endsAt: number
  readonly owner: string
}

/** Number of windows of one rule from which the windows that have ended are removed. */
const SWEEP_AT = 10_000
/**
 * Maximum number of windows of one rule. Beyond it, the owner with the most windows loses its oldest windows, because
 * callers can invent keys faster than windows end.
 */
export const MAX_WINDOWS = 50_000
/**
 * Maximum total number of characters in the keys of one rule's windows. Beyond it, windows are removed as beyond
 * `MAX_WINDOWS`.
 */
export const MAX_KEY_CHARACTERS = 8 * 1_024 ** 2
/** Number of windows that are removed together, so that the removal does not run for every call. */
const FORGOTTEN_AT_ONCE = MAX_WINDOWS / 10

/** Windows of one rate limit in this process, by key. */
export class Windows {
  /** Windows by key, the window that began first comes first. */
  private readonly windows = new Map<string, Window>()
  private readonly byOwner = new Map<string, number>()
  private characters = 0
  private sweepAt = SWEEP_AT

  constructor(private readonly windowMs: number) {}

  consume(key: string, owner: string, now: number): RateState {
    const window = this.current(key, now) ?? this.begin(key, owner, now)
    window.consumed++
    return { consumed: window.consumed, resetMs: window.endsAt - now }
  }

  peek(key: string, now: number): RateState {
    const window = this.current(key, now)
    return window === undefined
      ? { consumed: 0, resetMs: 0 }
      : { consumed: window.consumed, resetMs: window.endsAt - now }
  }

  private current(key: string, now: number): Window | undefined {
    const window = this.windows.get(key)
    return window !== undefined && window.endsAt > now ? window : undefined
  }

  private begin(key: string, owner: string, now: number): Window {
    this.forget(key)
    if (this.windows.size >= this.sweepAt || this.characters >= MAX_KEY_CHARACTERS) this.sweep(now)
    const window = { consumed: 0, endsAt: now + this.windowMs, owner }
    this.windows.set(key, window)
    this.byOwner.set(owner, (this.byOwner.get(owner) ?? 0) + 1)
    this.characters += key.length
    return window
  }

  private forget(key: string): void {
    const window = this.windows.get(key)
    if (window === undefined) return
    this.windows.delete(key)
    this.characters -= key.length
    const left = (this.byOwner.get(window.owner) ?? 1) - 1
    if (left > 0) this.byOwner.set(window.owner, left)
    else this.byOwner.delete(window.owner)
  }

  private sweep(now: number): void {
    for (const [key, { endsAt }] of this.windows) if (endsAt <= now) this.forget(key)
    if (this.windows.size >= MAX_WINDOWS || this.characters >= MAX_KEY_CHARACTERS) this.forgetOldest()
    this.sweepAt = Math.min(Math.max(SWEEP_AT, this.windows.size * 2), MAX_WINDOWS)
  }

  private forgetOldest(): void {
    let [most, count] = ['', 0]
    for (const [owner, some] of this.byOwner) if (some > count) [most, count] = [owner, some]
    let left = Math.min(FORGOTTEN_AT_ONCE, Math.ceil(count / 2))
    for (const [key, { owner }] of this.windows) {
      if (owner !== most) continue
      if (left-- <= 0) return
      this.forget(key)
    }
  }
}
