import { z } from '@hono/zod-openapi'
import { API_KEY_TYPES, type ApiKey, type Project } from '@matchyard/core'
import { KEY_LIFETIME_SECONDS, PROJECT_NAME_LENGTH } from '@matchyard/core/domain'
import {
  answerOf,
  bodyOf,
  extensionOf,
  given,
  instant,
  listOf,
  nullable,
  optional,
  plain,
  required,
  told,
} from './codec/index'
import type { CreatedProject, MintedKey } from './core-types'
import { name, oneOf, secondsIn, string, text } from './shared'

export const newProject = bodyOf({ name: required('name', text(PROJECT_NAME_LENGTH)) })
export const newKey = bodyOf({
  type: required('type', oneOf(API_KEY_TYPES)),
  name: optional('name', name),
  expires_in: optional('expiresInSeconds', secondsIn(KEY_LIFETIME_SECONDS)),
})

const projectFields = {
  project_id: required('id', string),
  account_id: required('accountId', string),
  name: required('name', string),
  slug: required('slug', string),
  created_at: required('createdAt', instant),
  updated_at: required('updatedAt', instant),
} as const

export const project = answerOf<Project>()(projectFields, 'Project')

export const apiKey = answerOf<ApiKey>()(
  {
    key_id: required('id', string),
    project_id: required('projectId', string),
    type: required('type', oneOf(API_KEY_TYPES)),
    name: required('name', string),
    last4: required('last4', string),
    created_at: required('createdAt', instant),
    revoked_at: required('revokedAt', nullable(instant)),
    expires_at: told(nullable(instant), ({ expiresAt }) => expiresAt ?? null),
  },
  'ApiKey',
)

const keyValue = plain(z.string().openapi({ description: 'The value, this once; not in a replayed answer.' }))

/** With the value, unless the answer is a replayed one. */
export const mintedKey = extensionOf(apiKey, ({ key }: MintedKey) => key)(
  { key: given('value', keyValue) },
  'MintedApiKey',
)

/** A new project with its keys, as one object. */
export const createdProject = answerOf<CreatedProject['project'] & Pick<CreatedProject, 'keys'>>()(
  { ...projectFields, keys: required('keys', listOf(mintedKey)) },
  'CreatedProject',
)
