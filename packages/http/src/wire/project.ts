import { API_KEY_TYPES, type ApiKey, type Project } from '@matchyard/core'
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
import { name, nameText, oneOf, secondsIn, string } from './shared'

export const newProject = bodyOf({
  name: required(nameText(PROJECT_NAME_LENGTH), 'For people to read; the slug is made of it.'),
})
export const newKey = bodyOf({
  type: required(
    oneOf(API_KEY_TYPES),
    '`client`: for games, and seen by everybody. `server`: for backends, and kept secret.',
  ),
  name: optional(name, 'For people to read.'),
  expiresInSeconds: optional(
    secondsIn(KEY_LIFETIME_SECONDS),
    'It is refused from so long after now on; it holds until it is revoked unless said.',
  ),
})

const projectFields = {
  id: required(string, 'Its id.'),
  accountId: required(string, 'Whose it is.'),
  name: required(string, 'For people to read.'),
  slug: required(string, 'Its name, as it stands in addresses.'),
  createdAt: required(instant, 'When it was made.'),
  updatedAt: required(instant, 'When it changed last.'),
} as const

export const project = answerOf<Project>(NAMES_OF.project)(
  projectFields,
  'Project',
  'A game: its queues, builds, servers and keys.',
)

export const apiKey = answerOf<ApiKey>(NAMES_OF.apiKey)(
  {
    id: required(string, 'Its id.'),
    projectId: required(string, 'The project that it is of.'),
    type: required(oneOf(API_KEY_TYPES), '`client`: for games, and seen by everybody. `server`: for backends.'),
    name: required(string, 'For people to read.'),
    last4: required(string, 'How its value ends.'),
    createdAt: required(instant, 'When it was made.'),
    revokedAt: required(nullable(instant), 'When it was revoked; null where it was not.'),
    expiresAt: required(orNull(instant), 'It is refused from then on; null where it holds for ever.'),
  },
  'ApiKey',
  'What a game or a backend calls with.',
)

/** With the value, unless the answer is a replayed one. */
export const mintedKey = extensionOf(apiKey, ({ key }: MintedKey) => key, NAMES_OF.mintedKey)(
  { value: given(string, 'The value, this once; not in a replayed answer.') },
  'MintedApiKey',
  'A key, with its value.',
)

/** A new project with its keys, as one object. */
export const createdProject = answerOf<CreatedProject['project'] & Pick<CreatedProject, 'keys'>>(NAMES_OF.project)(
  {
    ...projectFields,
    keys: required(listOf(mintedKey), 'A client key and a server key, each with its value, this once.'),
  },
  'CreatedProject',
  'A new project, with its keys.',
)
