import { signal } from '@preact/signals'

/** Present time to the second: views with relative times are redrawn by it. */
export const now = signal(Date.now())

/** For the gallery, whose pictures are always of the same instant. */
export function stopTimeAt(instant: number): void {
  clearInterval(timer)
  now.value = instant
}

const timer = setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}, 1_000)
