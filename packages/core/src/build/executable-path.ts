import { EXECUTABLE_PATH_LENGTH } from '../catalog/limits'
import { isWellFormed } from '../shared/json'
import { holdsUnseen } from '../shared/plain-text'

/**
 * Returns the reason why a path cannot name a file inside the archive; undefined when it can. A valid path is relative and has no `..`
 * (docs/http-api.md §4).
 */
export function executablePathFault(path: string): string | undefined {
  if (path === '') return 'must be the path of the executable inside the archive, for example bin/server'
  if (path.length > EXECUTABLE_PATH_LENGTH.max) return `must be at most ${EXECUTABLE_PATH_LENGTH.max} characters long`
  if (!isWellFormed(path) || holdsUnseen(path)) return 'must not contain control characters or invalid Unicode'
  if (path.includes('\\')) return 'must separate folders by /, not by \\'
  // The check uses the normalised path, because `./C:x` names a drive once its `./` is removed.
  if (path.startsWith('/') || /^[a-zA-Z]:/.test(normaliseExecutablePath(path)))
    return 'must be relative to the root of the archive'
  const segments = path.split('/')
  if (segments.includes('..')) return 'must not contain ..'
  return ['', '.'].includes(segments.at(-1) ?? '') ? 'must end with a file name' : undefined
}

/** Returns the path without empty and `.` segments, as archives name their entries: `./bin//server` becomes `bin/server`. */
export const normaliseExecutablePath = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/')
