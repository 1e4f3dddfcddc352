import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Wire } from './wire'

interface About {
  readonly sign_in_codes?: boolean
}

const about = signal<About | undefined>(undefined)
let asked = false

/** Whether this service is there to try things on: `matchyard dev`. Until it has said so, it is not. */
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
