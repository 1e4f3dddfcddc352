import { errorCodes } from '../error-row'

export const KEY_ERRORS = errorCodes({
  KEY_NOT_FOUND: {
    number: 9001,
    kind: 'absent',
    title: 'There is no such key.',
    happened: 'The project of the path has no key of this id. A key of another project reads the same.',
    mend: 'Take `key_id` (`key_…`) from the list of the project, not the value of the key. One that was made for a time is in no list an hour after its end.',
    retry: 'in-vain',
    near: ['KEY_REVOKED', 'PROJECT_NOT_FOUND', 'INVALID_API_KEY'],
  },
  KEY_REVOKED: {
    number: 9002,
    kind: 'conflict',
    title: 'The key is already revoked.',
    happened: 'The key was revoked before, by you or by somebody beside you. It opens nothing since then.',
    mend: 'Nothing is left to do: the wanted state exists already. Treat it as a success where you only care that the key is gone.',
    retry: 'in-vain',
    near: ['KEY_NOT_FOUND', 'INVALID_API_KEY'],
  },
})
