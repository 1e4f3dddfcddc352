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
import { name, nameText, oneOf, secondsIn, string } from './shared'

export const newProject = bodyOf({
  name: required('name', nameText(PROJECT_NAME_LENGTH), 'For people to read; the slug is made of it.'),
})
export const newKey = bodyOf({
  type: required(
    'type',
    oneOf(API_KEY_TYPES),
    '`client`: for games, and seen by everybody. `server`: for backends, and kept secret.',
  ),
  name: optional('name', name, 'For people to read.'),
  expires_in: optional(
    'expiresInSeconds',
    secondsIn(KEY_LIFETIME_SECONDS),
    'It is refused from so long after now on; it holds until it is revoked unless said.',
  ),
})

const projectFields = {
  project_id: required('id', string, 'Its id.'),
  account_id: required('accountId', string, 'Whose it is.'),
  name: required('name', string, 'For people to read.'),
  slug: required('slug', string, 'Its name, as it stands in addresses.'),
  created_at: required('createdAt', instant, 'When it was made.'),
  updated_at: required('updatedAt', instant, 'When it changed last.'),
} as const

export const project = answerOf<Project>()(projectFields, 'Project', 'A game: its queues, builds, servers and keys.')

export const apiKey = answerOf<ApiKey>()(
  {
    key_id: required('id', string, 'Its id.'),
    project_id: required('projectId', string, 'The project that it is of.'),
    type: required('type', oneOf(API_KEY_TYPES), '`client`: for games, and seen by everybody. `server`: for backends.'),
    name: required('name', string, 'For people to read.'),
    last4: required('last4', string, 'How its value ends.'),
    created_at: required('createdAt', instant, 'When it was made.'),
    revoked_at: required('revokedAt', nullable(instant), 'When it was revoked; null where it was not.'),
    expires_at: told(
      nullable(instant),
      ({ expiresAt }) => expiresAt ?? null,
      'It is refused from then on; null where it holds for ever.',
    ),
  },
  'ApiKey',
  'What a game or a backend calls with.',
)

const keyValue = plain(z.string().openapi({ description: 'The value, this once; not in a replayed answer.' }))

/** With the value, unless the answer is a replayed one. */
export const mintedKey = extensionOf(apiKey, ({ key }: MintedKey) => key)(
  { key: given('value', keyValue) },
  'MintedApiKey',
  'A key, with its value.',
)

/** A new project with its keys, as one object. */
export const createdProject = answerOf<CreatedProject['project'] & Pick<CreatedProject, 'keys'>>()(
  {
    ...projectFields,
    keys: required('keys', listOf(mintedKey), 'A client key and a server key, each with its value, this once.'),
  },
  'CreatedProject',
  'A new project, with its keys.',
)
