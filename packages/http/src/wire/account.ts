import { z } from '@hono/zod-openapi'
import { PLANS } from '@matchyard/core'
import type { AccountProfile, SessionGrant } from './core-types'
import { dateTime, iso, text } from './shared'

// Told apart from a wrong login only where an account is made; core judges the address itself.
const email = z.string().max(320, 'must be at most 320 characters long').openapi({ format: 'email' })

export const registerBody = z.strictObject({ email, password: text(8, 256), name: text(1, 128) })

export const loginBody = z.strictObject({ email, password: z.string() })

export const accountSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    plan: z.enum(PLANS),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi('Account')

export const sessionSchema = z
  .object({ token: z.string(), token_type: z.literal('Bearer'), expires_at: dateTime, account: accountSchema })
  .openapi('Session')

export const toAccountWire = (account: AccountProfile) => ({
  id: account.id,
  email: account.email,
  name: account.name,
  plan: account.plan,
  created_at: iso(account.createdAt),
  updated_at: iso(account.updatedAt),
})

export const toSessionWire = (grant: SessionGrant) => ({
  token: grant.token,
  token_type: 'Bearer' as const,
  expires_at: iso(grant.expiresAt),
  account: toAccountWire(grant.account),
})
