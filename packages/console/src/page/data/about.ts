import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Wire } from './wire'

interface About {
  readonly sign_in_codes?: boolean
}

const about = signal<About | undefined>(undefined)
let asked = false

/**
 * Whether the service runs as `matchyard dev`, for trying things out: it offers one-time sign-in codes. False until the
 * service has answered.
 */
export function useTrial(): boolean {
  useEffect(() => {
    if (asked) return
    asked = true
    new Wire().get<About>('/').then(
      (told) => {
        about.value = told
      },
      () => {
        asked = false
      },
    )
  }, [])
  return about.value?.sign_in_codes === true
}
