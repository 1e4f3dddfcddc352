import { createServer, type Server } from 'node:http'
import Provider from 'oidc-provider'

/** Person at the provider of a test. */
export interface IssuerPerson {
  readonly email: string
  readonly email_verified: boolean
  readonly name?: string
}

export const CLIENT = { id: 'matchyard', secret: 'a secret of the client that is long enough' } as const

/** A real OpenID provider, which signs in the person that a test names without asking. */
export interface Issuer {
  readonly url: string
  /** Person who signs in from now on. */
  person: IssuerPerson
  stop(): Promise<void>
}

/** Starts a provider on this port. */
export async function startIssuer(port: number, redirectUri: string): Promise<Issuer> {
  const url = `http://127.0.0.1:${port}`
  const issuer: { person: IssuerPerson } = { person: { email: 'nobody@studio.example', email_verified: true } }
  const provider = new Provider(url, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['one key of a test'] },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...JSON.parse(accountId) }) }),
  })
  const handle = provider.callback()
  const server: Server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response)
    void confirm(provider, issuer.person, request, response).catch((error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return Object.assign(issuer, {
    url,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

/** Confirms the sign-in and the consent of a person. */
async function confirm(
  provider: Provider,
  person: IssuerPerson,
  request: Parameters<Provider['interactionDetails']>[0],
  response: Parameters<Provider['interactionDetails']>[1],
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response)
  const accountId = JSON.stringify(person)
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
  grant.addOIDCScope('openid email profile')
  const consent = { grantId: await grant.save() }
  await provider.interactionFinished(request, response, { login: { accountId }, consent })
}
