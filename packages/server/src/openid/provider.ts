import type { Clock } from '@matchyard/core/ports'
import * as openid from 'openid-client'
import type { OpenIdConfig } from '../config/openid'

/** Seconds after which a call to the provider fails. */
const CALL_SECONDS = 5
/** Milliseconds after a failed look at the provider's configuration, until the next look. */
const AGAIN_AFTER_MS = 5_000
/** Maximum number of exchanges of codes at a time on this node. */
export const MAX_EXCHANGES = 16

/** Values that a sign-in compares at its end. The browser keeps them in a cookie. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  /** Verifier of PKCE. */
  readonly verifier: string
}

/** Person whom the provider named. */
export interface Person {
  /** E-mail address in lower case, which the provider has verified. */
  readonly email: string
  readonly name: string
}

/** Reasons for which a sign-in fails. `busy` and `away` pass by themselves. */
export type Refusal = 'busy' | 'away' | 'stale' | 'refused' | 'unverified' | 'domain' | 'disabled'

/** Thrown when a sign-in fails. The cause is for the log. */
export class SignInRefused extends Error {
  constructor(
    readonly why: Refusal,
    cause?: unknown,
  ) {
    super(why, cause === undefined ? {} : { cause })
  }
}

/** Sign-ins by an OpenID provider: the authorization code flow with PKCE, a state and a nonce. */
export class OpenIdProvider {
  private found: Promise<openid.Configuration> | undefined
  private failedAt = Number.NEGATIVE_INFINITY
  private exchanges = 0

  constructor(
    private readonly config: OpenIdConfig,
    /** Address to which the provider sends the browser back. */
    private readonly redirectUri: string,
    private readonly clock: Clock,
  ) {}

  /** Returns the address of the provider's sign-in page, and the values for the end of the sign-in. Rejects with SignInRefused. */
  async begin(): Promise<{ readonly url: string; readonly attempt: Attempt }> {
    const found = await this.discovered()
    const attempt = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    }
    const url = openid.buildAuthorizationUrl(found, {
      redirect_uri: this.redirectUri,
      scope: 'openid email profile',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, attempt }
  }

  /** Returns the person who signed in. `query` is what the provider added to the redirect address. Rejects with SignInRefused. */
  async finish(query: string, attempt: Attempt): Promise<Person> {
    // The state shows that this browser began the sign-in. It is compared before the provider is called.
    if (new URLSearchParams(query).get('state') !== attempt.state) throw new SignInRefused('stale')
    if (this.exchanges >= MAX_EXCHANGES) throw new SignInRefused('busy')
    // Counted before the first wait, so that calls of one instant are counted too.
    this.exchanges++
    try {
      const found = await this.discovered()
      const tokens = await openid.authorizationCodeGrant(found, new URL(`${this.redirectUri}${query}`), {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.verifier,
        idTokenExpected: true,
      })
      return this.personOf(tokens.claims() ?? {})
    } catch (error) {
      if (error instanceof SignInRefused) throw error
      throw new SignInRefused(isAway(error) ? 'away' : 'refused', error)
    } finally {
      this.exchanges--
    }
  }

  private personOf({ email, email_verified: isVerified, name }: Record<string, unknown>): Person {
    if (typeof email !== 'string' || isVerified !== true) throw new SignInRefused('unverified')
    const address = email.toLowerCase()
    if (!this.config.domains.includes(address.slice(address.lastIndexOf('@') + 1))) throw new SignInRefused('domain')
    return { email: address, name: typeof name === 'string' && name !== '' ? name.slice(0, 128) : address }
  }

  /** Reads the provider's configuration once. After a failure, it is read again at most every five seconds. */
  private discovered(): Promise<openid.Configuration> {
    if (this.found !== undefined) return this.found
    if (this.clock.now() < this.failedAt + AGAIN_AFTER_MS) return Promise.reject(new SignInRefused('away'))
    const { issuer, clientId, clientSecret } = this.config
    const isPlain = issuer.startsWith('http:')
    this.found = openid
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: CALL_SECONDS,
        ...(isPlain ? { execute: [openid.allowInsecureRequests] } : {}),
      })
      .catch((error: unknown) => {
        this.found = undefined
        this.failedAt = this.clock.now()
        throw new SignInRefused('away', error)
      })
    return this.found
  }
}

/** Whether the provider did not answer, or answered that it has a fault of its own. */
function isAway(error: unknown): boolean {
  const { name = '', status } = (error ?? {}) as { readonly name?: string; readonly status?: number }
  return error instanceof TypeError || name === 'TimeoutError' || name === 'AbortError' || (status ?? 0) >= 500
}
