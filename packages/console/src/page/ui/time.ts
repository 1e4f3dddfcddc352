import { signal } from '@preact/signals'

/** Now, to the second: who shows how long ago something was is drawn again by it. */
export const now = signal(Date.now())

/** For the gallery, whose pictures are always of the same instant. */
export function stopTimeAt(instant: number): void {
  clearInterval(timer)
  now.value = instant
}

const timer = setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}, 1_000)
