import { errorCodes } from '../error-row'

export const KEY_ERRORS = errorCodes({
  KEY_NOT_FOUND: {
    number: 9001,
    kind: 'absent',
    title: 'There is no such key.',
    happened: 'The project in the path has no key with this id. A key of another project gets the same answer.',
    mend: "Take `key_id` (`key_…`) from the project's list of keys; the value of a key is not its id. A key with an expiry time leaves the list one hour after it expires.",
    retry: 'in-vain',
    near: ['KEY_REVOKED', 'PROJECT_NOT_FOUND', 'INVALID_API_KEY'],
  },
  KEY_REVOKED: {
    number: 9002,
    kind: 'conflict',
    title: 'The key is already revoked.',
    happened: 'The key was already revoked, by you or by another user of the account. It is no longer accepted.',
    mend: 'Nothing needs to be done: the key is revoked. A program that only wants the key to be revoked can treat this error as success.',
    retry: 'in-vain',
    near: ['KEY_NOT_FOUND', 'INVALID_API_KEY'],
  },
})
