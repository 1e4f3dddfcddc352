import { z } from '@hono/zod-openapi'
import {
  type JsonObject,
  PLAYER_AUTH_MODES,
  PROOF_ALGORITHMS,
  type ShownIssuer,
  type ShownPlayerAuth,
} from '@matchyard/core'
import { CLAIM_LENGTH, ISSUER_LENGTH, JWKS_URL_LENGTH, MAX_ISSUERS } from '@matchyard/core/domain'
import { answerOf, bodyOf, given, listOf, optional, plain, required, told } from './codec/index'
import { freeForm, oneOf, string, text } from './shared'

const described = <S extends z.ZodType>(schema: S, description: string) => schema.openapi({ description })

const algorithm = oneOf(PROOF_ALGORITHMS)
const mode = oneOf(PLAYER_AUTH_MODES)
const secretWords = 'base64url of 32 bytes, this once; HS256 signs with the bytes.'

/** An issuer as it is sent: with one of `jwks_url`, `jwks` and `generate_secret`, or none to keep the secret that it has. */
const issuerBody = bodyOf(
  {
    issuer: required('issuer', text(ISSUER_LENGTH)),
    audience: optional('audience', text(ISSUER_LENGTH)),
    algorithms: optional('algorithms', plain(z.array(algorithm.body))),
    jwks_url: optional('jwksUrl', text(JWKS_URL_LENGTH)),
    jwks: optional('jwks', freeForm),
    generate_secret: optional('generateSecret', plain(z.literal(true))),
    player_claim: optional('playerClaim', text(CLAIM_LENGTH)),
    state_claim: optional('stateClaim', text(CLAIM_LENGTH)),
  },
  'PlayerIssuerSettings',
)

const issuers = {
  body: z.array(issuerBody.body).max(MAX_ISSUERS, `must be at most ${MAX_ISSUERS}`),
  decode: (sent: Parameters<typeof issuerBody.decode>[0][]) => sent.map(issuerBody.decode),
  names: issuerBody.names && { items: issuerBody.names },
}

export const playerAuthSettings = bodyOf({ mode: required('mode', mode), issuers: optional('issuers', issuers) })

const urlOf = ({ keys }: ShownIssuer) => (keys.kind === 'url' ? keys.url : undefined)
const setOf = ({ keys }: ShownIssuer): JsonObject | undefined =>
  keys.kind === 'jwks' ? { keys: [...keys.keys] } : undefined

const issuer = answerOf<ShownIssuer>()(
  {
    issuer: required('issuer', string),
    audience: given('audience', string),
    algorithms: required('algorithms', listOf(algorithm)),
    jwks_url: told({ answer: z.string().optional(), encode: (url: string | undefined) => url }, urlOf),
    jwks: told({ answer: freeForm.answer.optional(), encode: (set: JsonObject | undefined) => set }, setOf),
    player_claim: required('playerClaim', string),
    state_claim: required('stateClaim', string),
    secret: given('secret', plain(described(z.string(), secretWords))),
  },
  'PlayerIssuer',
)

export const playerAuth = answerOf<ShownPlayerAuth>()(
  { mode: required('mode', mode), issuers: required('issuers', listOf(issuer)) },
  'PlayerAuth',
)
