import { nodePlatform } from '@matchyard/node'
import { mintPlayerToken, type PlayerTokenDesign } from '@matchyard/testkit'
import type { Body } from './client'
import { type Service, type ServiceOptions, startService } from './service'
import { openStudio, type Studio } from './studio'

export const ISSUER = 'https://backend.example'

/**
 * Starts a service with the real adapters: signatures by `jose`, and calls through the guarded caller, which may call
 * loopback addresses of the tests' own servers.
 */
export function provingService(options: ServiceOptions = {}): Promise<Service> {
  const { playerTokens, guardedFetch, tokens } = nodePlatform({ secret: 'a secret of thirty-two bytes or more' })
  const addresses = { allowLoopback: true, httpsOnly: false }
  return startService({ ...options, core: { playerTokens, guardedFetch, tokens, addresses, ...options.core } })
}

export async function setPlayerAuth(service: Service, studio: Studio, body: unknown): Promise<Body> {
  const answer = await service.call(`PUT /v1/projects/${studio.projectId}/player-auth`, { token: studio.token, body })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

export interface SignedStudio extends Studio {
  readonly secret: string
}

/** Opens a studio whose backend signs tokens for its players with a generated secret. */
export async function signedStudio(service: Service, mode: 'trusted' | 'signed' = 'signed'): Promise<SignedStudio> {
  const studio = await openStudio(service)
  const { issuers } = await setPlayerAuth(service, studio, {
    mode,
    issuers: [{ issuer: ISSUER, generate_secret: true }],
  })
  return { ...studio, secret: issuers[0].secret }
}

/** Returns a token of the studio's backend, minted at the service's time. */
export const tokenOf = (
  service: Service,
  { secret }: SignedStudio,
  playerId: string,
  more: Partial<PlayerTokenDesign> = {},
) => mintPlayerToken({ secret, issuer: ISSUER, playerId, at: service.clock.now(), ...more })
