import { API_KEY_TYPES, type ApiKey, type ListedProject, ROLES } from '@matchyard/core'
import { KEY_LIFETIME_SECONDS, PROJECT_NAME_LENGTH } from '@matchyard/core/domain'
import {
  answerOf,
  bodyOf,
  extensionOf,
  given,
  instant,
  listOf,
  NAMES_OF,
  nullable,
  optional,
  orNull,
  required,
} from './codec/index'
import type { CreatedProject, MintedKey } from './core-types'
import { name, nameText, oneOf, string, wholeIn } from './shared'

export const newProject = bodyOf({
  name: required(nameText(PROJECT_NAME_LENGTH), 'Display name; the slug is derived from it.'),
})
export const newKey = bodyOf({
  type: required(oneOf(API_KEY_TYPES), '`client`: for games, visible to everybody. `server`: for backends, secret.'),
  name: optional(name, 'Display name.'),
  expiresInSeconds: optional(
    wholeIn(KEY_LIFETIME_SECONDS),
    'Lifetime of the key in seconds; without it the key is valid until it is revoked.',
  ),
})

const projectFields = {
  id: required(string, 'Id.'),
  accountId: required(string, 'Account that owns the project.'),
  name: required(string, 'Display name.'),
  slug: required(string, 'Name of the project in addresses (slug).'),
  role: required(
    oneOf(ROLES),
    "Role of the session's account in the project; `owner` for the account that owns the project.",
  ),
  createdAt: required(instant, 'Time of creation.'),
  updatedAt: required(instant, 'Time of the last change.'),
} as const

export const project = answerOf<ListedProject>(NAMES_OF.project)(
  projectFields,
  'Project',
  'A game: its queues, builds, servers and keys.',
)

export const apiKey = answerOf<ApiKey>(NAMES_OF.apiKey)(
  {
    id: required(string, 'Id.'),
    projectId: required(string, 'Project of the resource.'),
    type: required(oneOf(API_KEY_TYPES), '`client`: for games, visible to everybody. `server`: for backends.'),
    name: required(string, 'Display name.'),
    last4: required(string, "Last characters of the key's value."),
    createdAt: required(instant, 'Time of creation.'),
    revokedAt: required(nullable(instant), 'Time of revocation; null while the key is valid.'),
    expiresAt: required(orNull(instant), 'Time from which the key is refused; null for a key without an expiry.'),
    mintedBy: required(
      orNull(string),
      'Account of the person who created the server key; null for a client key, and for the first keys of a project.',
    ),
    role: required(orNull(oneOf(ROLES)), 'Role of the server key; null for a server key with all rights.'),
  },
  'ApiKey',
  'Credential of a game or a backend.',
)

/** Codec of a new key. The answer contains the key's value unless the call was a repetition. */
export const mintedKey = extensionOf(apiKey, ({ key }: MintedKey) => key, NAMES_OF.mintedKey)(
  { value: given(string, 'Value of the key, shown only once and not in a replayed answer.') },
  'MintedApiKey',
  'A key, with its value.',
)

/** Codec of a new project and its keys, as one object. */
export const createdProject = answerOf<ListedProject & Pick<CreatedProject, 'keys'>>(NAMES_OF.project)(
  {
    ...projectFields,
    keys: required(listOf(mintedKey), 'A client key and a server key with their values, which are shown only once.'),
  },
  'CreatedProject',
  'A new project, with its keys.',
)
