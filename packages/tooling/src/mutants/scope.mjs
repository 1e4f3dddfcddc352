// The source files whose mutants (small changes) the tests must find: decisions, follow-ups, commits, and the engine's
// rules.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** By package: folders, and patterns of the file names in them. A star stands for each direct subfolder. */
const SCOPE = {
  core: [
    ['src/*', /^(decide|evolve)\.ts$/],
    // The file spans.ts is left out: its tests are in the package `http`, where a trace begins.
    ['src/commit', /^(?!spans\.ts).*\.ts$/],
  ],
  matchmaking: [
    ['src/rules', /\.ts$/],
    ['src/seating', /\.ts$/],
  ],
}

/**
 * Returns the source files to mutate as `{ project, path }`, with paths relative to the package. With `words`, returns
 * only the files with a path that contains at least one of the words.
 */
export function scopeIn(root, words = []) {
  return Object.entries(SCOPE).flatMap(([project, places]) =>
    places
      .flatMap(([folder, names]) => filesOf(join(root, 'packages', project), folder, names))
      .filter((path) => words.length === 0 || words.some((word) => `${project}/${path}`.includes(word)))
      .map((path) => ({ project, path })),
  )
}

function filesOf(place, folder, names) {
  const rooms = folder.endsWith('/*') ? roomsOf(place, folder.slice(0, -2)) : [folder]
  return rooms.flatMap((room) =>
    readdirSync(join(place, room))
      .filter((name) => names.test(name))
      .sort()
      .map((name) => `${room}/${name}`),
  )
}

const roomsOf = (place, folder) =>
  readdirSync(join(place, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)
    .sort()

/** Returns a digest of the files that decide a file's score: the file itself and all tests of its package. */
export function digestOf(root, { project, path }) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'packages', project, path)))
  const tests = join(root, 'packages', project, 'test')
  for (const name of existsSync(tests) ? readdirSync(tests, { recursive: true, encoding: 'utf8' }).sort() : []) {
    if (name.endsWith('.ts')) hash.update(name).update(readFileSync(join(tests, name)))
  }
  return hash.digest('hex')
}
