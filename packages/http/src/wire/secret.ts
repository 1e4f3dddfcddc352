import { z } from '@hono/zod-openapi'
import type { SecretEntry } from '@matchyard/core'
import { SECRET_BYTES } from '@matchyard/core/domain'
import { answerOf, bodyOf, instant, listOf, plain, required } from './codec/index'
import { string } from './shared'

// The domain counts the bytes. The message does not contain the value.
const value = plain(z.string().min(SECRET_BYTES.min, 'must not be empty').openapi({ maxLength: SECRET_BYTES.max }))

export const secretValue = bodyOf({
  value: required(value, 'The value: at most 8,192 bytes. No call returns it.'),
})

const secret = answerOf<SecretEntry>()(
  {
    name: required(string, 'Name; `${secret:NAME}` in a variable stands for the value.'),
    createdAt: required(instant, 'Time of creation.'),
    updatedAt: required(instant, 'Time at which the value was last set.'),
  },
  'Secret',
  'A secret of the project, without its value.',
)

export const secretList = answerOf<{ readonly secrets: readonly SecretEntry[] }>()({
  secrets: required(listOf(secret), 'All secrets of the project, by name.'),
})
