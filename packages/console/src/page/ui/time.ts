import { signal } from '@preact/signals'

/**
 * Present time in milliseconds since 1970, updated every second while the page is visible. Views with relative times
 * depend on it.
 */
export const now = signal(Date.now())

/** Stops the time at an instant. The gallery uses it, so that its pictures do not change. */
export function stopTimeAt(instant: number): void {
  clearInterval(timer)
  now.value = instant
}

const timer = setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}, 1_000)
