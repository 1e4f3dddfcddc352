import { randomBytes } from 'node:crypto'
import { createAdmin } from '@matchyard/client/admin'
import type { Settings } from './settings'

/** Issuer of the tokens that this backend signs. */
export const ISSUER = 'my-studio'
export const QUEUE = 'duel'

export interface Account {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
}

/**
 * Creates a project whose players must prove their identity, a queue that takes ratings only from this backend, and a
 * webhook.
 */
export async function setUp({ baseUrl, email, password }: Account, backendUrl: string): Promise<Settings> {
  const { token } = await post<{ token: string }>(`${baseUrl}/v1/auth/login`, { email, password })
  const project = await post<NewProject>(`${baseUrl}/v1/projects`, { name: 'My game' }, token)
  const keyOf = (type: 'client' | 'server') => shown(project.keys.find((key) => key.type === type)?.key)
  const serverKey = keyOf('server')

  const { projects } = createAdmin({ baseUrl, session: token })
  const issuers = [{ issuer: ISSUER, generate_secret: true }] as const
  const auth = await projects.setPlayerAuth(project.project_id, { mode: 'signed', issuers })

  const { queues, webhooks } = createAdmin({ baseUrl, serverKey })
  await queues.ensure({
    queue_id: QUEUE,
    name: 'Duel',
    trusted_fields: ['mmr'],
    server_settings: { source: 'external' }, // this backend says where a match is played
    matchmaking: {
      teams: 2,
      players_per_team: 1,
      rules: [{ type: 'difference', field: 'mmr', max_difference: 200 }],
    },
  })
  const webhook = await webhooks.create({ url: `${backendUrl}/webhooks`, types: ['match.found', 'match.ended'] })
  return {
    ...{ baseUrl, clientKey: keyOf('client'), serverKey },
    playerSecret: shown(auth.issuers[0]?.secret),
    webhookSecret: shown(webhook.secret),
    resultKey: randomBytes(32).toString('base64url'),
  }
}

/** Returns a secret of the service, which is shown only when it is created. Throws when the secret is missing. */
function shown(secret: string | undefined): string {
  if (secret === undefined) throw new Error('the service showed no secret')
  return secret
}

interface NewProject {
  readonly project_id: string
  readonly keys: readonly { readonly type: 'client' | 'server'; readonly key: string }[]
}

async function post<T>(url: string, body: object, session?: string): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(session ? { authorization: `Bearer ${session}` } : {}) }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`POST ${url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}
