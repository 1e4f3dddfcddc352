import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { network } from './network'

/** Sign-in by an OpenID provider, as the service describes it. */
export interface OpenId {
  /** Host name of the provider. */
  readonly name: string
  /** Whether accounts may also sign in by password. */
  readonly passwords: boolean
}

const openId = signal<OpenId | undefined>(undefined)
let asked = false

/** Address that leads to the sign-in page of the provider. */
export const openIdStart = (): string => `${network().baseUrl}/auth/openid/start`

/** Returns the sign-in by an OpenID provider; undefined without one, and until the service has answered. */
export function useOpenId(): OpenId | undefined {
  useEffect(() => {
    if (asked) return
    asked = true
    void read().catch(() => {
      asked = false
    })
  }, [])
  return openId.value
}

/** Reads the description once. A service without a provider answers 404. */
async function read(): Promise<void> {
  const { fetch, baseUrl } = network()
  const answer = await fetch(`${baseUrl}/auth/openid`, { headers: { accept: 'application/json' } })
  if (answer.ok) openId.value = (await answer.json()) as OpenId
}
