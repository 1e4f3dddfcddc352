import { createRequire } from 'node:module'
import type Library from 'better-sqlite3'

/**
 * No release of better-sqlite3 runs on every Node that is supported (docs/adr/0158): 13 needs Node-API 10, which Node 20 and 22 before 22.14 do
 * not have and on which it crashes; what 12 takes from Node's headers aborts the process since Node 24.19.
 */
const NAME = Number(process.versions.napi) >= 10 ? 'better-sqlite3-napi' : 'better-sqlite3'

const require = createRequire(import.meta.url)

/** Where the library lies that this Node can load, for threads that have no module of their own. */
export const libraryPath = (): string => require.resolve(NAME)

export const SqliteDatabase: typeof Library = loaded()

function loaded(): typeof Library {
  try {
    return require(NAME)
  } catch (cause) {
    const remedy =
      'install it again where a C++ compiler is at hand, or use Node 22.14 or newer, for which nothing is built'
    throw new Error(`the SQLite library for Node ${process.version} (${NAME}) is not installed: ${remedy}`, { cause })
  }
}
